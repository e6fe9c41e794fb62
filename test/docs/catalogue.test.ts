import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createSummary } from '../../reports/index.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { type ReceiverPlanOptions, receiverPlan, runReceiver } from '../../runner/index.ts';
import { type FetchHandler, servedApp } from '../../runner/testing/app.ts';
import { further, isProof, urlChecks } from '../proof/testReceiver.ts';
import { root, textOf } from './documents.ts';
import { freePort } from '../../runner/catcher/freePort.ts';

/** A row of the table of `examples/README.md`. */
interface Row {
  readonly folder: string;
  /** What starts the wrong form; of a route handler its file. */
  readonly start: string;
  /** Requirements. */
  readonly breaks: readonly string[];
}

const rows: readonly Row[] = textOf('examples/README.md')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 7 && cells[1]!.includes('[wrong]'))
  .map(([, name = '', , breaks = '', , start = '']) => ({
    folder: /\((\w+)\//.exec(name)![1]!,
    start: start.split('`').at(-2)!,
    breaks: breaks.split(', '),
  }));

/** In CI an example of each way to run one: a module, a script of another language, and a program that takes a hook from a file. */
const tried = rows.filter(({ folder }) => isProof || ['express', 'flask', 'webhook'].includes(folder));

/** What the right forms keep, which `npm run proof` tries: all that the wrong ones break. */
const kept = [...new Set(rows.flatMap(({ breaks }) => breaks))].toSorted();

/** The checks that find the mistakes which the examples show with this requirement. */
const foundBy: Readonly<Record<string, readonly string[]>> = {
  'VRF-1': ['receiver/signature/every-spelling'],
  'VRF-2': ['receiver/signature/malformed'],
  // Flask answers 500 to what is malformed, Debian's webhook to what is refused.
  'VRF-4': ['receiver/signature/malformed', 'receiver/signature/refusal'],
  'VRF-3': ['receiver/signature/changed-after-signing'],
  'RCV-2': ['receiver/acceptance/uuid-versions'],
  'RCV-7': ['receiver/acceptance/media-types'],
  'IDM-2': ['receiver/idempotency/takes-effect-once'],
  'IDM-3': ['receiver/idempotency/concurrent-copies'],
};

/** Java lives for seconds here: to compile it as for years takes more than half of them. */
const shortLived = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Why an example cannot be run here. CI installs what they need, and runs them all. */
const absent: Readonly<Record<string, string | undefined>> = {
  flask: whereCi(spawnSync('/usr/bin/python3', ['-c', 'import flask']).status === 0, 'python3-flask is not installed'),
  webhook: whereCi(!spawnSync('webhook', ['-version']).error, 'webhook is not installed'),
  java: whereCi(
    !spawnSync('javac', ['-version']).error && existsSync('/usr/share/java/jackson-databind.jar'),
    'default-jdk-headless or libjackson2-databind-java is not installed',
  ),
};

function whereCi(isThere: boolean, reason: string): string | undefined {
  return isThere || process.env['SEAWORTHY_CI'] !== undefined ? undefined : reason;
}

test('the table names every folder, and each has both forms', () => {
  expect(rows.map(({ folder }) => folder)).toEqual([
    'express',
    'fastify',
    'hono',
    'next',
    'nestjs',
    'flask',
    'java',
    'webhook',
  ]);
});

test.concurrent.for(tried)('$folder: the wrong form breaks what the table says', async (row, context) => {
  const { folder, start, breaks } = row;
  context.skip(absent[folder] !== undefined, absent[folder]);
  const { requirements: found } = await tested(folder, start, breaks);
  const broken = found.filter(({ id, outcome }) => breaks.includes(id) && outcome === 'broken').map(({ id }) => id);
  expect(broken.toSorted()).toEqual(breaks.toSorted());
});

test.concurrent.for(further(...rows))(
  '$folder: the right form keeps all that any wrong form breaks',
  async (row, context) => {
    const { folder, start } = row;
    context.skip(absent[folder] !== undefined, absent[folder]);
    const { requirements: found } = await tested(folder, start.replace(/([wW])rong/, rightForm), kept);
    const outcomes = found.filter(({ id }) => kept.includes(id)).map(({ id, outcome }) => `${id} ${outcome}`);
    expect(outcomes.toSorted()).toEqual(kept.map((id) => `${id} holds`));
  },
);

function rightForm(_: string, initial: string): string {
  return initial === 'W' ? 'Right' : 'right';
}

async function tested(folder: string, start: string, wanted: readonly string[]): Promise<RunSummary> {
  const only = wanted.flatMap((id) => foundBy[id] ?? [id]);
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-catalogue-'));
  try {
    if (folder === 'next') return await testedHandler(start, { only, directory });
    const port = await freePort('127.0.0.1', new Set());
    const origin = `http://127.0.0.1:${port}`;
    if (folder === 'webhook') return await testedWebhook(start, { only, directory }, port);
    const command = `cd '${root}' && exec ${start.replace(/^node /, `'${process.execPath}' `)}`;
    return await run(`${origin}/hooks`, {
      start: command,
      env: { PORT: String(port), JDK_JAVA_OPTIONS: shortLived },
      secret: ['only-for-trying'],
      probe: `${origin}/effects/{id}`,
      only,
      directory,
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Served by the kit, as in a project's own tests. */
async function testedHandler(file: string, options: ReceiverPlanOptions): Promise<RunSummary> {
  const handler = (await import(join(root, file))) as { POST: FetchHandler; count: (id: string) => number };
  const app = await servedApp(handler.POST);
  const probe = (id: string) => handler.count(id);
  try {
    return await run(`${app.origin}/api/hooks`, { ...options, secret: ['only-for-trying'], probe });
  } finally {
    await app.close();
  }
}

/** It keeps its log beside its hooks, so that it needs a folder of its own. */
async function testedWebhook(
  start: string,
  options: ReceiverPlanOptions & { directory: string },
  port: number,
): Promise<RunSummary> {
  const folder = join(options.directory, 'webhook');
  await cp(join(root, 'examples/webhook'), folder, { recursive: true });
  return run(`http://127.0.0.1:${port}/hooks/shipments`, {
    ...options,
    start: `exec ${start.replace('examples/webhook', folder)} ${port}`,
    secret: ['known-to-both-sides'],
    probe: join(folder, 'count-effects.sh'),
  });
}

async function run(url: string, options: ReceiverPlanOptions): Promise<RunSummary> {
  const quick = { intensity: 'quick', shrinkTime: 0, checks: urlChecks } as const;
  const summary = createSummary();
  for await (const event of runReceiver(await receiverPlan(url, { ...quick, ...options }))) summary.add(event);
  return summary.summary();
}
