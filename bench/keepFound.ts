import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { SavedCase } from '../runner/engine/savedCase.ts';
import type { FuzzRun } from './fuzzRun.ts';
import { isFound } from './fuzzTable.ts';
import { sequenceSize } from './sequenceSize.ts';

const folder = fileURLToPath(new URL('../test/proof/fuzzed', import.meta.url));
const anywhere = { receiver: 'http://127.0.0.1:3000/hooks', service: 'http://127.0.0.1:4010/v2' };

/** Writes the smallest sequence that was found of each fault for the tests, which play it again. */
export async function keepFound(runs: readonly FuzzRun[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [fault, own] of Object.entries(Object.groupBy(runs, (run) => run.fault))) {
    const cases = own!.filter(isFound).map(({ found }) => JSON.parse(found!.file) as SavedCase);
    const [smallest] = cases.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    if (smallest !== undefined) await writeFile(join(folder, `${fault}.json`), textOf(smallest));
  }
}

/** Whether it failed each time counts most, then deliveries or calls, then steps, and then how much there is in them. */
function sizeOf({ sequence = [], rate }: SavedCase): number {
  const steps = sequence.map(({ step }) => step);
  const isCertain = rate === undefined || rate.failed === rate.tries;
  return sequenceSize(steps) * 1e9 + (isCertain ? 0 : 1e12) + steps.length * 1e6 + JSON.stringify(steps).length;
}

/** Without what only that run knows: where the target was, and what went over the wire. */
function textOf({ exchange: _exchange, options: _options, ...saved }: SavedCase): string {
  return `${JSON.stringify({ ...saved, url: anywhere[saved.subject], options: {} }, null, 2)}\n`;
}
