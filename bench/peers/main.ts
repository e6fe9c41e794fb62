import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { plainServiceFaultNames, serviceFaults } from '../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import { aligned } from '../table.ts';
import { spreadOf } from '../spread.ts';
import { peerDocument } from './document.ts';
import { NothingTested, type Tool, tools } from './tools.ts';

/**
 * Holds the reference service, and services with one mistake each, against the contract's document with what a user may pick
 * instead of the kit. A mistake is found where a program complains of what it does not complain of without it. The programs are
 * installed into `node_modules/.cache/peers` where they are not.
 */
const { values } = parseArgs({
  options: { faults: { type: 'string', multiple: true }, tools: { type: 'string', multiple: true } },
});

const programs = await installed(join(import.meta.dirname, '../../node_modules/.cache/peers'));
const chosen = tools.filter(({ name }) => values.tools === undefined || values.tools.some((one) => name.includes(one)));
const faults = values.faults ?? firstOfEachRequirement();

/** A fault for each requirement that the plain faults break first. */
function firstOfEachRequirement(): readonly string[] {
  const byRequirement = Map.groupBy(plainServiceFaultNames, (name) => serviceFaults[name]!.breaks[0]);
  return [...byRequirement.values()].map(([first]) => first!);
}

async function installed(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const packages = tools.flatMap((tool) => tool.packages);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages], { stdio: 'inherit' });
  return join(folder, 'node_modules', '.bin');
}

interface Seen {
  readonly complaints: ReadonlySet<string>;
  readonly seconds: number;
}

/** What a program says of a service with a mistake, or without one. */
async function seenBy(tool: Tool, fault?: string): Promise<Seen> {
  const change = fault === undefined ? undefined : serviceFaults[fault]!.change;
  const policies = change?.(conformingPolicies) ?? conformingPolicies;
  const service = await startService({ backoff: [20, 30, 40], timeout: 400, speed: 20, policies });
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-peers-'));
  try {
    const made = await peerDocument(service);
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(made.document));
    const began = performance.now();
    const complaints = await tool.complaints({ ...service, ...made, file, folder, programs });
    const seconds = (performance.now() - began) / 1000;
    return { complaints: new Set(complaints.map(alike)), seconds };
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

/** Without what is new in each run. */
function alike(line: string): string {
  return line
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b[\da-f]{32,}\b/g, '<secret>')
    .replaceAll(/duration: \d+ms/g, '')
    .trim();
}

/** A row of the table. */
async function rowOf(tool: Tool): Promise<readonly string[]> {
  const plain = [await seenBy(tool), await seenBy(tool)];
  // What it says of one of two runs without a mistake says nothing of one.
  const usual = new Set(plain.flatMap(({ complaints }) => [...complaints]));
  for (const line of usual) process.stderr.write(`${tool.name}: without a mistake: ${line}\n`);
  const seconds = plain.map((one) => one.seconds);
  let found = 0;
  for (const fault of faults) {
    const seen = await seenBy(tool, fault);
    seconds.push(seen.seconds);
    const own = [...seen.complaints].filter((line) => !usual.has(line));
    found += Number(own.length > 0);
    process.stderr.write(`${tool.name}: ${fault}: ${own.length === 0 ? 'nothing' : own.slice(0, 3).join(' | ')}\n`);
  }
  return [tool.name, `${found} of ${faults.length}`, String(usual.size), spreadOf(seconds).median.toFixed(1)];
}

const rows: (readonly string[])[] = [['program', 'found', 'complaints without a mistake', 'seconds']];
for (const tool of chosen)
  rows.push(
    await rowOf(tool).catch((error: unknown) => {
      if (!(error instanceof NothingTested)) throw error;
      return [tool.name, 'no test', error.message, ''];
    }),
  );
process.stdout.write(`${aligned(rows)}\n`);
