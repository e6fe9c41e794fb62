import fc from 'fast-check';

import type { Delivery } from '../../../suites/delivery.ts';
import { receiverFuzzing, type SequenceResult } from '../../../suites/fuzz/fuzzing.ts';
import type { Finding } from '../../../suites/check.ts';
import type { ReceiverKit } from '../../../suites/kit.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** What the toy does: deliver something new, or again what has come. */
export type ToyStep =
  | { readonly do: 'new'; readonly slot: string; readonly size: number }
  | { readonly do: 'again'; readonly slot: string; readonly times: number }
  | { readonly do: 'rest'; readonly ms: number }
  | { readonly do: 'kill' };

const slot = fc.constantFrom('a', 'b', 'c');

/** A small model, to see the engine by: acknowledged ids take effect once, however often they come. */
export const toyModel = receiverFuzzing<ToyStep>({
  subject: 'receiver',
  requirements: ['IDM-1', 'IDM-2', 'RCV-1'],
  fatal: 'ROB-1',
  kinds: (_draw, { processControl }) => [
    { kind: 'new', weight: 3, steps: fc.record({ do: fc.constant('new' as const), slot, size: fc.nat(100) }) },
    {
      kind: 'again',
      weight: 3,
      steps: fc.record({ do: fc.constant('again' as const), slot, times: fc.integer({ min: 1, max: 4 }) }),
    },
    { kind: 'rest', weight: 1, steps: fc.record({ do: fc.constant('rest' as const), ms: fc.nat(3) }) },
    ...(processControl
      ? [{ kind: 'kill' as const, weight: 1, steps: fc.record({ do: fc.constant('kill' as const) }) }]
      : []),
  ],
  controlsProcess: (step) => step.do === 'kill',
  describe: (step) => JSON.stringify(step),
  hint: ({ cause }) => `the toy knows no way to fix ${cause}`,
  run: played,
});

async function played(kit: ReceiverKit, steps: readonly ToyStep[]): Promise<SequenceResult<Finding>> {
  const slots = new Map<string, Delivery>();
  const judged = new Set<string>();
  const features = new Set<string>();
  for (const step of steps) {
    const known = 'slot' in step ? slots.get(step.slot) : undefined;
    if (step.do === 'rest') await kit.pause(step.ms);
    if (step.do === 'kill') await kit.processControl.kill().then(() => kit.processControl.start());
    if (step.do === 'new' && known === undefined) {
      const delivery = kit.compose(kit.control);
      const answer = await kit.deliver(delivery);
      slots.set(step.slot, delivery);
      features.add(`new ${answer.kind === 'answered' ? answer.status : answer.kind}`);
    }
    for (let time = 0; step.do === 'again' && known && time < step.times; time++) {
      const answer = await kit.deliver(known);
      judged.add('IDM-1');
      features.add(`again ${time} ${answer.kind === 'answered' ? answer.status : answer.kind}`);
      if (!kit.accepts(answer)) return { finding: found(kit, 'IDM-1', 'refused'), judged: [...judged], features: [] };
    }
  }
  const ids = [...slots.values()].map(({ id }) => id);
  if (ids.length === 0 || !kit.probed) return { judged: [...judged], features: [...features] };
  const effects = await kit.effects(new Map(ids.map((id) => [id, 1])));
  const counts = ids.map((id) => effects.get(id) ?? 0);
  const result = { judged: [...judged, 'IDM-2', 'RCV-1'], features: [...features] };
  if (counts.some((count) => count > 1)) return { ...result, finding: found(kit, 'IDM-2', 'twice') };
  if (counts.some((count) => count < 1))
    return { ...result, finding: { ...found(kit, 'RCV-1', 'lost'), absence: true } };
  return result;
}

function found(kit: ReceiverKit, requirement: RequirementId, cause: string) {
  const { attempts } = kit;
  return { requirements: [requirement], cause, expected: 'once', actual: cause, absence: false, attempts };
}
