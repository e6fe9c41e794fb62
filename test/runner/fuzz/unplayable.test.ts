import fc from 'fast-check';
import { expect, test } from 'vitest';

import { unplayable } from '../../../runner/replay/replaySequence.ts';
import { receiverModel } from '../../../suites/fuzz/receiver/index.ts';
import { serviceModel } from '../../../suites/fuzz/service/index.ts';
import { openContract } from '../../../runner/options/openContract.ts';
import { placeholderUrl } from '../../../generators/calls/creationNeighbour.ts';
import type { FuzzStep } from '../../../suites/fuzz/fuzzing.ts';
import type { ServiceDraw } from '../../../suites/draw.ts';

const kinds = [
  {
    kind: 'put',
    weight: 1,
    steps: fc.record({
      do: fc.constant('put'),
      slot: fc.string(),
      parts: fc.array(fc.nat()),
    }) as fc.Arbitrary<FuzzStep>,
  },
  {
    kind: 'wait',
    weight: 1,
    steps: fc.record(
      { do: fc.constant('wait'), ms: fc.option(fc.nat()) },
      { requiredKeys: ['do'] },
    ) as fc.Arbitrary<FuzzStep>,
  },
];
const model = { knows: ['put', 'wait', 'kill'], describe: JSON.stringify };

function sequenceOf(...steps: readonly object[]) {
  return steps.map((step) => ({ words: '', step: step as FuzzStep, seed: 0, path: '' }));
}

const whole = { do: 'put', slot: 'a', parts: [] };

test.for([
  [[whole, { do: 'wait' }, { do: 'wait', ms: 3 }, { do: 'kill' }], undefined],
  [[whole, { do: 'nope' }], 'step 2 is one that this version of the kit does not know: nope'],
  [[{ do: 'put', slot: 'a' }], 'step 1 (put) is damaged: it has no "parts"'],
  [[{ do: 'put', slot: 'a', parts: 'x' }], 'step 1 (put) is damaged: its "parts" has to be a list'],
] as const)('steps of a file are looked at before they are played: %j', ([steps, reason]) => {
  expect(unplayable(model, kinds, { sequence: sequenceOf(...steps) })).toBe(reason);
});

test('sequences beside it are looked at, too', () => {
  const saved = { sequence: sequenceOf(whole), beside: [sequenceOf(whole, { do: 'nope' })] };
  expect(unplayable(model, kinds, saved)).toBe(
    'step 2 of sequence 1 beside it is one that this version of the kit does not know: nope',
  );
});

test.for([receiverModel, serviceModel])('the models say which kinds of steps they know', ({ knows }) => {
  expect(knows).toContain('kill');
  expect(knows!.length).toBeGreaterThan(8);
});

/** A creation in a file that is wrong in one thing. */
function creation(attributes: object) {
  const invalid = { data: { type: 'webhook', attributes } };
  return sequenceOf({ do: 'invalid', flaw: 'malformed', invalid, change: '' });
}

test.for([
  { url: 'https://evil.example/hooks' },
  { url: ' https://evil.example/hooks' },
  { url: 'https:evil.example' },
  { url: '//evil.invalid/hooks' },
  { url: 'evil.invalid' },
  { url: '2130706433/hooks' },
  { url: 'https://[::1%lo]/' },
  { url: ['https://evil.example/hooks'] },
  { url: placeholderUrl, callback: 'https://evil.example/hooks' },
  { url: `${placeholderUrl}@evil.example` },
])('a file has the service deliver to no address of its own: %j', (attributes) => {
  const reason = unplayable(serviceModel, [], { sequence: creation(attributes) });
  expect(reason).toContain('step 1 (invalid) is not played: it names an address that is none of the kit');
});

test('no endpoint of a file sends the service elsewhere', () => {
  const by = { do: 'respond', status: 307, headers: [['Location', 'https://evil.example/']] };
  const refusals = [{ times: 1, by }];
  const create = { do: 'create', slot: 'a', events: null, active: true, headers: [], at: null, status: 200, refusals };
  const update = { do: 'update', slot: 'a', url: { refusals, status: 200 } };
  for (const step of [create, update])
    expect(unplayable(serviceModel, [], { sequence: sequenceOf(step) })).toContain('answers with headers');
});

test('all steps that are drawn can be played from a file', () => {
  const contract = openContract();
  const draw = { contract, terms: contract.service!, events: [] } as unknown as ServiceDraw;
  const kinds = serviceModel.kinds(draw, { processControl: false, alone: false });
  const drawn = kinds.filter(({ kind }) => ['create', 'update', 'invalid'].includes(kind));
  const steps = drawn.flatMap((kind) => fc.sample(kind.steps, { seed: 1, numRuns: 500 }));
  expect(drawn).toHaveLength(3);
  expect(unplayable(serviceModel, [], { sequence: sequenceOf(...steps) })).toBeUndefined();
});
