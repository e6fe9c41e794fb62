import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { formatsFor } from '../reports/formats/index.ts';
import { openContract } from '../runner/options/openContract.ts';
import { openJournal } from '../runner/output/journal.ts';
import { runOfMany } from '../test/reports/runOfMany.ts';

/**
 * How long `seaworthy report` takes for a run of many deliveries, and the most memory that it holds, for every format:
 * neither the memory nor the report may grow with the deliveries.
 */
const main = fileURLToPath(new URL('../runner/cli/main.ts', import.meta.url));
const memory = `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))`;
const loaded = `data:text/javascript,${encodeURIComponent(memory)}`;

interface Rendered {
  readonly ms: number;
  /** Kilobytes. */
  readonly memory: number;
  readonly bytes: number;
}

/** The journal of a run that never happened. */
function write(path: string, deliveries: number, names: readonly string[]): void {
  const journal = openJournal(path);
  for (const event of runOfMany(deliveries, names)) journal.write(event);
  journal.close();
}

async function render(journal: string, format: string, path: string): Promise<Rendered> {
  const begun = performance.now();
  const words = ['--import', loaded, main, 'report', journal, '--report', `${format}=${path}`];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(said.join(''));
  return { ms: performance.now() - begun, memory: Number(said.join('')), bytes: (await stat(path)).size };
}

const folder = await mkdtemp(join(tmpdir(), 'seaworthy-bench-'));
try {
  const names = openContract().events.map(({ name }) => name);
  console.log('deliveries  format      seconds   memory MB   report kB');
  for (const deliveries of [10_000, 100_000]) {
    const journal = join(folder, `${deliveries}.ndjson`);
    write(journal, deliveries, names);
    for (const format of formatsFor('run')) {
      const { ms, memory: peak, bytes } = await render(journal, format, join(folder, `report.${format}`));
      const figures = [(ms / 1000).toFixed(1), (peak / 1024).toFixed(0), (bytes / 1024).toFixed(0)];
      const columns = figures.map((figure, index) => figure.padStart([9, 12, 12][index]!));
      console.log(`${String(deliveries).padStart(10)}  ${format.padEnd(10)}${columns.join('')}`);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
