import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { formatsFor, renderDocument, type FormatName } from '../../../reports/formats/index.ts';
import { compareRuns } from '../../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../../reports/model/document.ts';
import { readJournal } from '../../../reports/model/journal.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { createSummary } from '../../../reports/model/summary.ts';
import { explainError } from '../../../runner/cli/explainError.ts';
import { reportedDocument } from '../../../runner/cli/report/run.ts';
import { readRun } from '../../../runner/output/readRun.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import { failingRun, withoutRepeats } from '../../reports/madeUpRun.ts';
import { failingSearch } from '../../reports/madeUpSearch.ts';
import { failingServiceRun } from '../../reports/madeUpServiceRun.ts';
import { everyMember } from '../everyMember.ts';
import { runHere } from '../runHere.ts';

/** Colours, a cleared screen, the title of the window, the 8-bit forms of both, what overwrites, reverses or breaks a line. */
const hostile =
  '\u001b[31m\u001b[2J\u001b]0;title\u0007\u009b1m\u009d0;t\u009c\u0090q\b\r\0\u007f\u202e\u2066\u200f\u2028\ud800';

/** Whatever a terminal or a log would not show as itself. */
const raw = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-hostile-'));
});
afterAll(() => rm(cwd, { recursive: true }));

/** What the program writes. */
async function written(...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runHere(words, cwd);
  return stdout + stderr;
}

const runs = { receiver: failingRun, service: failingServiceRun, search: failingSearch } as const;

describe.each(Object.keys(runs) as (keyof typeof runs)[])('a journal of a %s with a hostile text', (name) => {
  const changed = everyMember(withoutRepeats(runs[name]()), hostile);

  test('in any member, or in the name of one, writes nothing raw to a terminal or a log', async () => {
    expect(changed.length).toBeGreaterThan(100);
    const loud: string[] = [];
    for (const { where, value } of changed) {
      const shown = await textsOf((value as readonly object[]).map(lineOf).join(''));
      loud.push(...shown.filter(([, text]) => raw.test(text)).map(([what]) => `${what}: ${where}`));
    }
    expect(loud).toEqual([]);
  });
});

/** Of events that many journals share, each is written once. */
const lines = new WeakMap<object, string>();

function lineOf(event: object): string {
  const line = lines.get(event) ?? `${JSON.stringify(event)}\n`;
  lines.set(event, line);
  return line;
}

/** What is said of a journal, by what says it. It is read once: what the program says itself, it says of what cannot be read. */
async function textsOf(journal: string): Promise<readonly (readonly [what: string, text: string])[]> {
  const summary = summaryOf(journal);
  if (summary === undefined) {
    await writeFile(join(cwd, 'run.ndjson'), journal);
    return [['terminal', await written('report', 'run.ndjson')]];
  }
  const run = { journal: 'run.ndjson', summary };
  return [
    ...(await reportsOf(summary)),
    ['comparison', await textOf('terminal', { kind: 'comparison', comparison: compareRuns(summary, summary) })],
    ['merged', refusalOf(() => reportedDocument([run, run], { compare: false, sideBySide: false }))],
  ];
}

function summaryOf(journal: string): RunSummary | undefined {
  const summary = createSummary();
  try {
    for (const event of readJournal(journal)) summary.add(event);
    return summary.summary();
  } catch {
    return undefined;
  }
}

/** A report that cannot be made of what stands there is the concern of other tests. */
function textOf(format: FormatName, document: ReportDocument): Promise<string> {
  return renderDocument(format, document).catch(() => '');
}

function refusalOf(make: () => unknown): string {
  try {
    make();
    return '';
  } catch (error) {
    return explainError(error).text;
  }
}

/** The formats whose own encoders let something through: HTML is too large to be made for each member. */
function reportsOf(summary: RunSummary) {
  const names = formatsFor('run').filter((format) => format !== 'html' && format !== 'journal');
  return Promise.all(names.map(async (name) => [name, await textOf(name, { kind: 'run', summary })] as const));
}

test('the page holds nothing raw', async () => {
  const changed = JSON.parse(JSON.stringify(failingRun(), (_, value: unknown) => hardened(value))) as unknown[];
  await writeFile(join(cwd, 'page.ndjson'), changed.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const summary = await readRun(join(cwd, 'page.ndjson'));
  expect(await renderDocument('html', { kind: 'run', summary })).not.toMatch(raw);
});

/** Hostile where nothing depends on the text. */
function hardened(value: unknown): unknown {
  return typeof value === 'string' && / /.test(value) ? value + hostile : value;
}

const saved: SavedCase = {
  seaworthy: 'case',
  format: 1,
  subject: 'receiver',
  kit: { name: 'seaworthy', version: '0.1.0' },
  check: 'receiver/signature/missing',
  title: 'refuses a delivery without a signature',
  requirements: ['VRF-2'],
  summary: 'without a signature',
  expected: 'a refusal',
  actual: '202',
  value: { event: 'request.created' },
  seed: 1,
  path: '0',
  intensity: 'quick',
  events: ['request.created'],
  url: 'http://127.0.0.1:9/hooks',
  options: { header: ['X-Of: this test'], timeout: ['1s'] },
  env: ['SECRET'],
};

test('a saved case with a hostile text in any member writes nothing raw', async () => {
  const loud: string[] = [];
  for (const { where, value } of everyMember(saved, hostile)) {
    await writeFile(join(cwd, 'case.json'), JSON.stringify(value));
    for (const words of [[], ['--export', 'vitest=out/', '--export', 'curl=out/']])
      if (raw.test(await written('replay', 'case.json', ...words))) loud.push(`${words[0] ?? 'replay'}: ${where}`);
  }
  expect(loud).toEqual([]);
});

// A file system takes any of it but NUL and, in UTF-8, half a surrogate pair.
const fileName = hostile.replaceAll(/[\0\ud800]/g, '');

test.each([
  ['a command', [hostile]],
  ['an option', ['receiver', `--${hostile}`]],
  ['the value of an option', ['receiver', 'http://127.0.0.1:9/', '--seed', hostile]],
  ['an address', ['receiver', `http://127.0.0.1:9/${hostile}`, '--only', hostile]],
  ['a pattern', ['receiver', '--list', '--only', hostile]],
  ['an assumption', ['receiver', '--list', '--assume', `${hostile}=1`]],
  ['a file of assumptions', ['receiver', '--list', '--assume', '@assumptions.yaml']],
  ['a file of assumptions that is no YAML', ['receiver', '--list', '--assume', '@broken.yaml']],
  ['a file of expectations', ['receiver', '--list', '--expect-failures', 'expectations.yaml']],
  ['the name of a file', ['replay', `${fileName}.json`]],
  ['the name of a folder', ['replay', fileName]],
  ['the name of a config file', ['receiver', '--list', '--config', `${fileName}.json`]],
  ['a config file', ['receiver', '--list', '--config', 'config.json']],
  ['a config file that is no JSON', ['receiver', '--list', '--config', 'broken.json']],
  ['a journal that is not there', ['report', hostile.replaceAll('\0', '')]],
  ['a report', ['receiver', 'http://127.0.0.1:9/', '--report', `${hostile}=x`]],
  ['the help of', ['receiver', '--help', hostile]],
])('an error about %s holds nothing raw', async (_, words) => {
  await mkdir(join(cwd, fileName), { recursive: true });
  await writeFile(join(cwd, `${fileName}.json`), `{ "${hostile}": 1 }`);
  await writeFile(join(cwd, 'config.json'), JSON.stringify({ [hostile]: hostile, receiver: { [hostile]: 1 } }));
  await writeFile(join(cwd, 'broken.json'), `{ ${hostile} }`);
  await writeFile(join(cwd, 'assumptions.yaml'), JSON.stringify({ assume: { [hostile]: hostile } }));
  await writeFile(join(cwd, 'broken.yaml'), `assume: [${hostile}`);
  await writeFile(join(cwd, 'expectations.yaml'), JSON.stringify({ failures: [{ id: hostile, reason: hostile }] }));
  const text = await written(...words);
  expect(text).not.toBe('');
  expect(text).not.toMatch(raw);
});

test('a target writes nothing raw by its status line, its headers or its body', async () => {
  // A client takes no other control characters in a header for HTTP.
  const head = `HTTP/1.1 202 \u009b31m\r\nX-Of: \u009b31m\u009d0;t\u009c\r\nConnection: close\r\n\r\n`;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.end(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(hostile)])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const only = [
    '--only',
    'receiver/signature/forged',
    '--intensity',
    'quick',
    '--seed',
    '1',
    '--secret',
    'of this test',
  ];
  const text = await written('receiver', `http://127.0.0.1:${port}/`, ...only).finally(() => server.close());
  expect(text).toContain('<U+001B>');
  expect(text).not.toMatch(raw);
});
