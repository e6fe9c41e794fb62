import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Browser } from 'playwright-core';

import { receiverFaults } from '../../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../../reference/receiver/receiver.ts';
import { buildPage } from '../../../../reports/formats/html/build.ts';
import { renderHtml } from '../../../../reports/formats/html/renderHtml.ts';
import { readJournal } from '../../../../reports/model/journal.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { explainBroken } from '../../../../runner/cli/explain/run.ts';
import { openChromium } from './chromium.ts';

/** A real run, and the pictures that are taken of its report. */
interface Scene {
  readonly fault?: string;
  /** Kills the kit once its journal has so many lines. */
  readonly killedAfter?: number;
  readonly pictures: readonly Picture[];
}

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: 'light' | 'dark';
  /** What stands behind the `#` of the address. */
  readonly anchor?: string;
}

const secret = 'known-to-both-sides';
const port = 4711;

const scenes: readonly Scene[] = [
  { pictures: [{ name: 'report-passing', width: 1200, height: 900 }] },
  {
    fault: 'verifies-reserialised-json',
    pictures: [
      { name: 'report-failing', width: 1200, height: 1150 },
      { name: 'report-case', width: 1200, height: 1150, anchor: 'receiver/signature/changed-after-signing' },
      { name: 'report-matrix', width: 1200, height: 900, anchor: 'events', colorScheme: 'dark' },
    ],
  },
  { killedAfter: 500, pictures: [{ name: 'report-incomplete', width: 1200, height: 900 }] },
];

const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url));

/** Makes the pictures of `docs/images` anew: tests the reference receiver against the contract, as users would, and looks. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-screenshots-'));
  const [browser] = await Promise.all([
    openChromium(),
    buildPage(),
    mkdir(path('../../../../docs/images'), { recursive: true }),
  ]);
  try {
    for (const [index, scene] of scenes.entries()) {
      const report = join(folder, `${index}.html`);
      const journal = await run(scene, join(folder, `${index}.ndjson`));
      const summary = summarise(readJournal(journal));
      await writeFile(report, renderHtml({ kind: 'run', summary, explained: await explainBroken(summary) }));
      for (const picture of scene.pictures) await take(picture, report, browser);
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run({ fault, killedAfter }: Scene, journal: string): Promise<string> {
  const policies = fault === undefined ? conformingPolicies : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], port, policies });
  try {
    const target = ['receiver', receiver.url, '--secret', secret, '--probe', receiver.probe];
    const words = [path('../../../../runner/cli/main.ts'), ...target, '--seed', '1', '--report', `journal=${journal}`];
    // Its commands are shown as the documents write them.
    const env = { ...process.env, npm_lifecycle_event: 'seaworthy' };
    const kit = spawn(process.execPath, words, { stdio: 'ignore', env });
    const ended = once(kit, 'exit');
    if (killedAfter !== undefined) await linesOf(journal, killedAfter).then(() => kit.kill('SIGKILL'));
    await ended;
    return await readFile(journal, 'utf8');
  } finally {
    await receiver.close();
  }
}

/** Waits until a file that is being written has so many lines. */
async function linesOf(file: string, count: number): Promise<void> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.split('\n').length > count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function take(
  { name, width, height, colorScheme = 'light', anchor = '' }: Picture,
  report: string,
  browser: Browser,
) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${pathToFileURL(report).href}${anchor === '' ? '' : `#${anchor}`}`);
  await page.waitForSelector('main');
  if (anchor !== '') await page.waitForFunction((id) => document.activeElement?.id === id, anchor);
  await page.screenshot({ path: path(`../../../../docs/images/${name}.png`) });
  await context.close();
}

await main();
