import { expect, test } from 'vitest';

import { replaySequence } from '../../../runner/replay/replaySequence.ts';
import { readSavedCase } from '../../../runner/engine/savedCase.ts';
import type { Finding } from '../../../suites/check.ts';
import type { ReceiverFuzzing, SequenceResult } from '../../../suites/fuzz/fuzzing.ts';
import { failuresOf, searched } from './searchReceiver.ts';
import { toyModel } from './toyModel.ts';

/** Finds fault with every sequence that is at work while another one is. */
function crowded(absence: boolean): ReceiverFuzzing {
  let atWork = 0;
  return {
    ...toyModel,
    async run(kit): Promise<SequenceResult<Finding>> {
      const own = ++atWork;
      await kit.deliver(kit.compose(kit.control));
      const isCrowded = own > 1 || atWork > own;
      atWork -= 1;
      const twice = { requirements: ['IDM-2'], expected: 'one', actual: 'two', cause: 'twice', absence } as const;
      const finding = { ...twice, attempts: kit.attempts };
      return { judged: ['IDM-2'], features: [], ...(isCrowded && { finding }) };
    },
  };
}

test.for([false, true])(
  'what fails beside others only is reported, kept and played with them',
  async (absence, context) => {
    const right = await searched(undefined, context);
    const model = crowded(absence);
    const events = await right.search({ runs: 8 }, { model });
    const [failure] = failuresOf(events);
    expect(failure).toMatchObject({ cause: 'twice', beside: 1, outcome: 'failed', rate: { failed: 4, tries: 4 } });
    const saved = await readSavedCase(failure!.counterexample.file!);
    expect(saved.beside).toHaveLength(1);
    const target = { subject: 'receiver', plan: await right.plan() } as const;
    expect(await replaySequence(target, saved, { receiver: model })).toMatchObject({ outcome: 'fails' });
    const fixed = { ...toyModel, run: async () => ({ judged: ['IDM-2'], features: [] }) };
    expect(await replaySequence(target, saved, { receiver: fixed })).toEqual({ outcome: 'fixed', tries: 5 });
  },
);
