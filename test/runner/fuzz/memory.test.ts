import { join } from 'node:path';

import { expect, test, type TestContext } from 'vitest';

import { CorpusFile } from '../../../runner/fuzz/corpusFile.ts';
import { QuietEvents } from '../../../runner/fuzz/quietEvents.ts';
import { ReceiverFuzzTarget } from '../../../runner/fuzz/receiverFuzzTarget.ts';
import { FuzzSearch } from '../../../runner/fuzz/search.ts';
import { inSession } from '../../../runner/receiverSession.ts';
import type { UntimedEvent } from '../../../runner/runEvents.ts';
import { searched } from './searchReceiver.ts';
import { toyModel } from './toyModel.ts';

/** What a run still holds after so many sequences, in entries. */
async function keptAfter(runs: number, context: Pick<TestContext, 'onTestFinished'>) {
  const receiver = await searched(undefined, context);
  const plan = await receiver.plan();
  const kept = { ids: -1, events: 0, deliveries: 0 };
  await inSession(plan, {
    elapsed: () => performance.now(),
    emit: () => {},
    async work(session, found) {
      const told: UntimedEvent[] = [];
      const events = new QuietEvents((event) => told.push(event));
      const quiet = { ...session, emit: (event: UntimedEvent) => events.emit(event) };
      quiet.emitDelivery = (event) => events.emit({ type: 'delivery.finished', ...event });
      const file = new CorpusFile(join(receiver.folder, 'corpus'), 'receiver', '1');
      const search = { budget: { runs, untilFailure: false }, feedback: true, corpus: receiver.folder };
      await new FuzzSearch(new ReceiverFuzzTarget(quiet, found, toyModel), { search, seed: 1, file, events }).run();
      kept.ids = session.log.size;
      kept.events = told.filter(({ type }) => type !== 'fuzz.progressed').length;
      kept.deliveries = events.deliveries;
    },
  });
  return kept;
}

test('four times as many sequences leave no more behind', async (context) => {
  const few = await keptAfter(50, context);
  const many = await keptAfter(200, context);
  expect(many.deliveries).toBeGreaterThan(3 * few.deliveries);
  expect(few.ids).toBe(0);
  expect(many).toMatchObject({ ids: few.ids, events: few.events });
});
