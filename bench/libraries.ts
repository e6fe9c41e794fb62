import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { JsonReport } from '../reports/formats/json/jsonReport.ts';
import { shellWord } from '../reports/curl/shell.ts';
import { freePort } from '../runner/catcher/freePort.ts';
import { libraries, type Library } from '../test/proof/libraries/index.ts';
import { runProgram } from './crashRun.ts';

/**
 * Tests a server of each library against the contract of its provider, as a user would, with process control, and prints a
 * table. `npm run bench:libraries -- <name> ...` tests some of them. What is broken is named below the table, with the
 * smallest case of each requirement.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { intensity: { type: 'string', default: 'standard' }, seed: { type: 'string', default: '7' } },
});

const all = Object.entries(libraries);
const chosen = all.filter(([name]) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !all.some(([known]) => known === name));
if (unknown.length > 0) {
  const valid = all.map(([name]) => name).join(', ');
  throw new RangeError(`No library is named ${unknown.join(', ')}. Valid are: ${valid}.`);
}

async function reportOf(library: Library): Promise<JsonReport | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-libraries-'));
  try {
    const report = join(folder, 'report.json');
    await runProgram([...(await words(library)), '--report', `json=${report}`]);
    const text = await readFile(report, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as JsonReport);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function words({ server, contract, secret }: Library): Promise<readonly string[]> {
  const port = await freePort('127.0.0.1', new Set());
  const origin = `http://127.0.0.1:${port}`;
  const start = [process.execPath, server, String(port)].map(shellWord).join(' ');
  const target = ['--contract', contract, '--secret', secret, '--env', `SECRET=${secret}`, '--start', start];
  const rest = ['--probe', `${origin}/count/{id}`, '--intensity', values.intensity, '--seed', values.seed];
  return ['receiver', `${origin}/hook`, ...target, ...rest];
}

type Requirements = JsonReport['requirements'];

const ids = (requirements: Requirements, outcome: string, level?: string): string =>
  requirements
    .filter((each) => each.outcome === outcome && (level === undefined || each.level === level))
    .map(({ id }) => id)
    .join(', ');

function rowOf(name: string, { verdict, requirements, summary, run }: JsonReport): string {
  const musts = requirements.filter(({ level }) => level === 'must');
  const seen = musts.filter(({ outcome }) => outcome === 'holds' || outcome === 'broken');
  const should = ids(requirements, 'broken', 'should');
  const cells = [
    `\`${name}\``,
    verdict,
    `${seen.length} of ${musts.length}`,
    ids(requirements, 'broken', 'must'),
    should,
    ids(requirements, 'inconclusive'),
    summary.deliveries.toLocaleString('en'),
    `${Math.round(run.durationMs / 1000)} s`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What was seen of each broken requirement, in one line each. */
function casesOf(name: string, { requirements, checks }: JsonReport): readonly string[] {
  return requirements
    .filter(({ outcome }) => outcome === 'broken')
    .map(({ id }) => {
      const found = checks.filter(({ counterexample }) => counterexample?.requirements.includes(id));
      const cases = found.map((check) => `${check.id}: ${check.counterexample?.summary.split('\n')[0]}`);
      return [`${name} ${id}`, ...cases].join('\n  ');
    });
}

const cases: string[] = [];
console.log('| library | verdict | MUSTs seen | broken MUSTs | broken SHOULDs | open | deliveries | time |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [name, library] of chosen) {
  const report = await reportOf(library);
  console.log(report === undefined ? `| \`${name}\` | no report | | | | | | |` : rowOf(name, report));
  if (report !== undefined) cases.push(...casesOf(name, report));
}
console.log(`\n${cases.join('\n')}`);
