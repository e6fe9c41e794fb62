import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, type TestContext } from 'vitest';

import { startService } from '../../../reference/service/service.ts';
import { CorpusFile } from '../../../runner/fuzz/corpus.ts';
import { QuietEvents } from '../../../runner/fuzz/lookout.ts';
import { ReceiverFuzzTarget, ServiceFuzzTarget } from '../../../runner/fuzz/targetKinds.ts';
import { FuzzSearch } from '../../../runner/fuzz/search.ts';
import { ReceiverSide } from '../../../runner/receiver/receiverSide.ts';
import { inReceiverSession } from '../../../runner/receiver/receiverSession.ts';
import type { UntimedEvent } from '../../../runner/engine/eventStream.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';
import { inServiceSession } from '../../../runner/service/runService.ts';
import { serviceModel } from '../../../suites/fuzz/service/index.ts';
import { pace } from '../../proof/testService.ts';
import { searched } from './searchReceiver.ts';
import { toyModel } from './toyModel.ts';

/** What a run still holds after so many sequences, in entries. */
async function keptAfter(runs: number, context: Pick<TestContext, 'onTestFinished'>) {
  const receiver = await searched(undefined, context);
  const plan = await receiver.plan();
  const kept = { ids: -1, events: 0, deliveries: 0 };
  await inReceiverSession(plan, {
    elapsed: () => performance.now(),
    emit: () => {},
    async work({ context: session, found }) {
      const reported: UntimedEvent[] = [];
      const events = new QuietEvents((event) => reported.push(event));
      const quiet = { ...session, emit: (event: UntimedEvent) => events.emit(event) };
      quiet.emitDelivery = (event) => events.emit({ type: 'delivery.finished', ...event });
      const file = new CorpusFile(join(receiver.folder, 'corpus'), 'receiver', '1');
      const search = { budget: { runs, untilFailure: false }, feedback: true, corpus: receiver.folder };
      await new FuzzSearch(new ReceiverFuzzTarget(new ReceiverSide(quiet, found), toyModel), {
        search,
        seed: 1,
        file,
        events,
      }).run();
      kept.ids = session.log.size;
      kept.events = reported.filter(({ type }) => type !== 'fuzz.progressed').length;
      kept.deliveries = events.deliveries;
    },
  });
  return kept;
}

test('four times as many sequences of a receiver leave no more behind', async (context) => {
  const few = await keptAfter(25, context);
  const many = await keptAfter(100, context);
  expect(many.deliveries).toBeGreaterThan(3 * few.deliveries);
  expect(few.ids).toBe(0);
  expect(many).toMatchObject({ ids: few.ids, events: few.events });
});

/** The same of a service. */
async function keptOfService(runs: number, { onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const service = await startService({ ...pace });
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-fuzz-'));
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  const { url, token, emit } = service;
  const assume = { 'delivery.timeout': `${pace.timeout}ms` };
  const plan = await servicePlan(url, { token, emit, assume, seed: 1, settle: 200, secondOpinion: false, checks: [] });
  const kept = { logged: -1, endpoints: -1, registrars: -1, doubtful: -1, events: -1, deliveries: 0 };
  const reported: UntimedEvent[] = [];
  const events = new QuietEvents((event) => reported.push(event));
  await inServiceSession(plan, {
    elapsed: () => performance.now(),
    emit: (event) => events.emit(event),
    async work(side) {
      const { context } = side;
      const before = { endpoints: context.endpoints.size, registrars: context.registrars.size };
      const file = new CorpusFile(join(folder, 'corpus'), 'service', '1');
      const search = { budget: { runs, untilFailure: false }, feedback: true, corpus: folder };
      const target = new ServiceFuzzTarget(side, serviceModel, fewEndpoints);
      await new FuzzSearch(target, { search, seed: 1, file, events }).run();
      kept.logged = context.deliveryLog.size;
      kept.endpoints = context.endpoints.size - before.endpoints;
      kept.registrars = context.registrars.size - before.registrars;
      kept.doubtful = context.doubtful.length;
      kept.events = reported.filter(({ type }) => type === 'fuzz.failed').length;
      kept.deliveries = events.deliveries;
    },
  });
  return kept;
}

const fewEndpoints = 10;

test('four times as many sequences of a service leave no more behind', async (context) => {
  const few = await keptOfService(15, context);
  const many = await keptOfService(60, context);
  expect(many.deliveries).toBeGreaterThan(2 * few.deliveries);
  expect(few).toMatchObject({ logged: 0, endpoints: fewEndpoints, registrars: 0, doubtful: 0, events: 0 });
  expect(many).toMatchObject({ ...few, deliveries: many.deliveries });
});
