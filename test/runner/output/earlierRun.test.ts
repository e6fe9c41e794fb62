import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { RetriesAwaited, RunEvent } from '../../../reports/model/events.ts';
import { earlierRun, goingOn } from '../../../runner/output/earlierRun.ts';
import { Secrets } from '../../../runner/secrets/secrets.ts';
import { caughtShort, serviceStarted } from '../../reports/madeUpServiceRun.ts';

const name = 'a'.repeat(32);
const first = { method: 'POST', path: `/${name}`, headers: [], body: '{}', from: '127.0.0.1' };
const awaited: RetriesAwaited = {
  type: 'retries.awaited',
  ms: 1,
  check: 'service/create/plain',
  case: 1,
  url: `http://127.0.0.1:4020/${name}`,
  id: 'one',
  attempts: 1,
  first,
};

test('a sitting knows which retries the one before awaited, and records it for the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-earlier-'));
  const path = join(folder, 'journal.ndjson');
  const foreign = { ...awaited, url: 'http://127.0.0.1:9/hooks' };
  const caught = [
    { endpoint: name, id: 'one', number: 3 },
    { endpoint: name, id: 'one', number: 2 },
    { endpoint: name, id: 'two', number: 7 },
    { endpoint: 'b'.repeat(32), id: 'one', number: 9 },
  ].map((parts) => caughtShort(parts));
  const events: readonly RunEvent[] = [serviceStarted(), awaited, foreign, ...caught];
  await writeFile(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const earlier = await earlierRun(path);
  expect(earlier.awaited).toEqual([{ ...awaited, attempts: 3 }]);
  const begun = (async function* () {
    yield serviceStarted() as RunEvent;
  })();
  const seen = await Array.fromAsync(goingOn(begun, earlier, new Secrets([])));
  expect(seen.filter(({ type }) => type === 'retries.awaited')).toEqual([{ ...awaited, attempts: 3 }]);
  await rm(folder, { recursive: true });
});
