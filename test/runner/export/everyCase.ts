import { receiverReplayOptions, serviceReplayOptions } from '../../../runner/options/replayOptions.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';

const step = (step: { do: string; [name: string]: unknown }) => ({ words: 'a step', step, seed: 1, path: '0' });
const plain: SavedCase = {
  seaworthy: 'case',
  format: 1,
  subject: 'receiver',
  kit: { name: 'seaworthy', version: '0.1.0' },
  check: 'receiver/redelivery/concurrent',
  title: 'takes effect once for copies at the same time.',
  requirements: ['IDM-3'],
  summary: '2 effects',
  expected: 'exactly one effect\nof each',
  actual: '2 effects',
  value: { deep: [1, null, { any: 'thing' }] },
  seed: 1,
  path: '3:0',
  intensity: 'quick',
  events: ['a'],
  url: 'http://127.0.0.1:9/hooks',
  options: {},
  env: ['SECRET'],
};
const sequence = [
  step({ do: 'together', parts: [{ slot: 'a', copies: 2, held: { percent: 0, ms: 3 } }] }),
  step({ do: 'forge', slot: 'b', how: { kind: 'none' } }),
];

/** Every kind of case, with every option that it may hold. */
export const everyCase: Readonly<Record<string, SavedCase>> = {
  check: plain,
  sequence: { ...plain, cause: 'twice', sequence, rate: { failed: 4, tries: 4 }, value: null },
  beside: { ...plain, cause: 'twice', sequence, beside: [sequence, sequence], value: null },
  timeline: { ...plain, timeline: [{ what: 'killed', at: 1 } as never], cause: 'lost', sequence },
  service: { ...plain, subject: 'service', url: 'http://127.0.0.1:9/v2', options: all(serviceReplayOptions) },
  options: { ...plain, options: { ...all(receiverReplayOptions), header: ['A: b', 'K: $SEAWORTHY_HEADER_K'] } },
  hostile: JSON.parse(JSON.stringify(plain).replace('"seaworthy":', '"__proto__":{"a":1},"seaworthy":')) as SavedCase,
};

function all(options: object): Record<string, readonly string[]> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, ['1']]));
}
