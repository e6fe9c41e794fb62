import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';

import type { JsonReport } from '../../reports/formats/json/jsonReport.ts';

import { readFileSync } from 'node:fs';
import { program } from '../programs.ts';
import { mostMemory, type Enclosure, type ZooTarget } from './zooTarget.ts';

/** What a run against a target of the zoo came to. */
export interface Visit {
  readonly code: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  /** The verdict of the JSON report; nothing where none was written. */
  readonly verdict?: string;
  /** What the terminal said. */
  readonly text: string;
  /** What was not as it has to be, in words. */
  readonly complaints: readonly string[];
}

/** Longest time that a program is given beyond what its row allows, so that a hang is measured and not waited for. */
const killAfter = 30_000;

/**
 * What is loaded into the program, so that it says how much memory it took. Node's own figure of the most that it took
 * counts the process that started it too.
 */
const measure = `process.on('exit', () => {
  const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const most = /VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  writeFileSync(process.env.ZOO_MEMORY, String(Number(most) / 1024));
});`;

/** Runs the program against a target as a user does, and looks at all that the row asks for. */
export async function visit(target: ZooTarget): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-zoo-'));
  const enclosure = await target.start(folder);
  try {
    await writeFile(join(folder, 'measure.cjs'), measure);
    const began = performance.now();
    const { code, text } = await run(target, enclosure, folder);
    const seconds = (performance.now() - began) / 1000;
    const megabytes = Number(await contentOf(join(folder, 'memory')));
    const json = await contentOf(join(folder, 'report.json'));
    const report = json === undefined ? undefined : (JSON.parse(json) as JsonReport);
    const seen = { code, seconds, megabytes, text, ...(report && { verdict: report.verdict }) };
    const isListening = enclosure.visitor !== undefined;
    return { ...seen, complaints: complaintsOf(target, seen, report, isListening) };
  } finally {
    await enclosure.close();
    await rm(folder, { recursive: true });
  }
}

function run(
  target: ZooTarget,
  { words, visitor }: Enclosure,
  folder: string,
): Promise<{ code: number | null; text: string }> {
  const { time = '5s', seconds = usualSeconds, before } = target;
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const report = ['--time', time, '--seed', '1', '--report', 'terminal', '--report', 'json=report.json'];
  const intensity = words[0] === 'fuzz' ? [] : ['--intensity', 'quick'];
  const usual = visitor === undefined ? [...intensity, ...report] : [];
  const called = [process.execPath, '--require', './measure.cjs', program('seaworthy'), ...words, ...usual];
  const [command, ...rest] =
    before === undefined ? called : ['/bin/sh', '-c', `${before} && exec "$@"`, 'zoo', ...called];
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ZOO_MEMORY: join(folder, 'memory') };
  const child = spawn(command!, rest, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000 + killAfter);
  let text = '';
  let visited: Promise<unknown> | undefined;
  const listen = (): void => {
    if (visitor === undefined || visited !== undefined) return;
    const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text)?.[0];
    if (url !== undefined) visited = visitor(new URL(url)).finally(() => child.kill('SIGINT'));
  };
  child.stdout.on('data', () => setImmediate(listen));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, text });
    });
  });
}

const usualSeconds = 20;

const isValidReport = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../reports/formats/json/report.schema.json'), 'utf8'),
  ) as object,
);

function complaintsOf(
  { exits, says, broken, seconds = usualSeconds }: ZooTarget,
  seen: Omit<Visit, 'complaints'>,
  report: JsonReport | undefined,
  isListening: boolean,
): readonly string[] {
  const isTested = !isListening && seen.code !== 2;
  return [
    ...(exits.includes(seen.code ?? -1) ? [] : [`it ended with ${seen.code}, not ${exits.join(' or ')}`]),
    ...(seen.seconds <= seconds ? [] : [`it took ${seen.seconds.toFixed(0)} s, more than ${seconds}`]),
    ...(seen.megabytes <= mostMemory ? [] : [`it took ${seen.megabytes.toFixed(0)} MB, more than ${mostMemory}`]),
    ...(says === undefined || says.test(seen.text) ? [] : [`it does not say ${says}`]),
    ...(report !== undefined || !isTested ? [] : ['it wrote no JSON report']),
    ...(report === undefined || isValidReport(report) ? [] : [`its JSON report is not valid: ${shownErrors()}`]),
    ...(broken === undefined ? [] : wronglyBroken(broken, report)),
  ];
}

function shownErrors(): string {
  return JSON.stringify(isValidReport.errors?.[0]);
}

function wronglyBroken(expected: readonly string[], report: JsonReport | undefined): readonly string[] {
  const rows = report?.requirements ?? [];
  const broken = rows.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
  const musts = rows.filter(({ level, outcome }) => level === 'must' && outcome === 'broken').map(({ id }) => id);
  const missed = expected.filter((id) => !broken.includes(id)).map((id) => `${id} is not broken`);
  return [...missed, ...musts.filter((id) => !expected.includes(id)).map((id) => `${id} is called broken`)];
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
