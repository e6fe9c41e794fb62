import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { freePort } from '../../../../runner/catcher/freePort.ts';
import type { FuzzStep } from '../../../../suites/fuzz/fuzzing.ts';
import { reference } from '../../../proof/livingReceivers/index.ts';
import { inShort, secret, untilFound, withReceiver, type Session } from './session.ts';

/** Few, so that the positive control is short. */
const events = ['document.*'];

type Steps = readonly (FuzzStep & Readonly<Record<string, unknown>>)[];

const knownBeforeTheKill: Steps = [{ do: 'redeliver', slot: 'a', times: 2 }, { do: 'kill' }];
const acknowledgedBeforeTheKill: Steps = [
  { do: 'together', parts: [{ slot: 'a' }, { slot: 'b' }, { slot: 'c' }] },
  { do: 'kill' },
];
const endedInTheMiddle: Steps = [
  {
    do: 'stop',
    delay: 5,
    parts: [
      { slot: 'a', copies: 3 },
      { slot: 'b', held: { percent: 50, ms: 20 } },
    ],
  },
  { do: 'redeliver', slot: 'b' },
  { do: 'forge', slot: 'c', how: { kind: 'no signature header' } },
];
const pausedInTheMiddle: Steps = [
  { do: 'pause', ms: 60, parts: [{ slot: 'a', copies: 2 }], again: true, open: true },
  { do: 'deliver', slot: 'b' },
];

/** The reference receiver as a process that is under process control, with the mistake of this name where one is given. */
async function withProcess<T>(fault: string | undefined, work: (session: Session) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-sequences-'));
  const port = await freePort('127.0.0.1', new Set());
  const { command, path, probe } = reference(fault);
  const origin = `http://127.0.0.1:${port}`;
  const close = () => rm(folder, { recursive: true });
  const start = command({ port, database: join(folder, 'receiver.db'), secret });
  return withReceiver({ url: `${origin}${path}`, probe: `${origin}${probe}`, close }, work, { start, events });
}

test('ids that a killed receiver has forgotten are found', { timeout: 300_000 }, async () => {
  const found = await withProcess('deduplicates-in-memory', (session) => untilFound(session, knownBeforeTheKill));
  expect(inShort(found)).toBe('IDM-2 twice');
});

test('acknowledged work that a kill loses is found', { timeout: 300_000 }, async () => {
  const found = await withProcess('buffers-and-flushes-later', (session) =>
    untilFound(session, acknowledgedBeforeTheKill),
  );
  expect(inShort(found)).toBe('RCV-3 lost');
});

test('a receiver that keeps the contract survives all of it', { timeout: 300_000 }, async () => {
  const sequences = [knownBeforeTheKill, acknowledgedBeforeTheKill, endedInTheMiddle, pausedInTheMiddle];
  const ended = await withProcess(undefined, ({ play }) => play(sequences));
  expect(ended.map(inShort)).toEqual(sequences.map(() => 'nothing'));
  const judged = new Set(ended.flatMap((one) => one.judged));
  expect([...judged].toSorted()).toEqual(expect.arrayContaining(['IDM-1', 'IDM-2', 'RCV-3', 'RTY-1']));
});
