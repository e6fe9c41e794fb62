import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import type { JsonReport } from '../../reports/formats/json/jsonReport.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { parseJson } from '../../spec/parseJson.ts';
import type { Callable, PeerDocument } from './document.ts';

/** What a program is given. */
export interface Setting extends Callable, PeerDocument {
  readonly emit: string;
  /** The number of a shipment that it does not find. */
  readonly untrackable: string;
  /** Where the document lies, as JSON. */
  readonly file: string;
  /** For its files. */
  readonly folder: string;
  /** Where the programs are installed: `node_modules/.bin`. */
  readonly programs: string;
}

/** Thrown where a program makes no test of the document, with its own words. */
export class NothingTested extends Error {}

/** A program that holds a service against its document. */
export interface Tool {
  readonly name: string;
  /** Packages with their versions; none where it is in this repository. */
  readonly packages: readonly string[];
  /**
   * All that it complains of, a line each. What is different each time (ids, durations) is no part of it.
   *
   * @throws NothingTested where it makes no test of the document
   */
  complaints(setting: Setting): Promise<readonly string[]>;
}

const seaworthy = fileURLToPath(new URL('../../runner/cli/seaworthy.cjs', import.meta.url));

/** In the order of the table. */
export const tools: readonly Tool[] = [
  {
    name: 'seaworthy, quick',
    packages: [],
    async complaints({ url, token, emit, trackable, untrackable, folder }) {
      const report = join(folder, 'report.json');
      const options = ['--intensity', 'quick', '--seed', '1', '--assume', 'delivery.timeout=400ms'];
      const given = ['--token', token, '--emit', emit, '--trackable', trackable, '--untrackable', untrackable];
      const words = [seaworthy, 'service', url, ...given, ...options];
      await outputOf(process.execPath, [...words, '--report', `json=${report}`], folder);
      const { requirements } = parseJson(await readFile(report, 'utf8')) as JsonReport;
      return requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
    },
  },
  {
    name: 'Prism proxy, with a call of each operation',
    packages: ['@stoplight/prism-cli@5.16.0'],
    async complaints(setting) {
      const port = await freePort('127.0.0.1', new Set());
      const words = ['proxy', setting.file, setting.url, '--port', String(port)];
      const proxy = spawn(join(setting.programs, 'prism'), words, { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        await said(proxy, 'listening');
        return await violations(setting, port);
      } finally {
        await ended(proxy);
      }
    },
  },
  {
    name: 'Dredd',
    packages: ['dredd@14.1.0'],
    async complaints({ file, url, token, folder, programs }) {
      const words = [file, url, '--header', `Authorization: Token ${token}`, '--loglevel=error'];
      const output = await outputOf(join(programs, 'dredd'), words, folder);
      return output.split('\n').flatMap((line) => (/^(?:fail|error): /.test(line) ? [line] : []));
    },
  },
  {
    name: 'Portman and Newman',
    packages: ['@apideck/portman@1.33.0'],
    async complaints({ file, url, token, folder, programs }) {
      const [config, collection, result] = ['portman.json', 'collection.json', 'result.json'].map((name) =>
        join(folder, name),
      ) as [string, string, string];
      await writeFile(config, JSON.stringify(portman(token)));
      const words = ['-l', file, '-b', url, '-c', config, '-o', collection, '-t', 'true'];
      await outputOf(join(programs, 'portman'), words, folder);
      const run = ['run', collection, '--reporters', 'json', '--reporter-json-export', result];
      await outputOf(join(programs, 'newman'), run, folder);
      const { run: seen } = parseJson(await readFile(result, 'utf8')) as NewmanResult;
      return seen.failures.map(({ error }) => error.test ?? error.message);
    },
  },
  {
    name: 'Redocly respect',
    packages: ['@redocly/cli@2.77.0'],
    async complaints({ file, url, token, folder, programs }) {
      const [workflows, result] = [join(folder, 'arazzo.yaml'), join(folder, 'respect.json')];
      const redocly = join(programs, 'redocly');
      await outputOf(redocly, ['generate-arazzo', file, '--output-file', workflows], folder);
      const given = ['--input', `apiKey=Token ${token}`, '--server', `openapi=${url}`, '--json-output', result];
      await outputOf(redocly, ['respect', workflows, ...given], folder);
      const { files } = parseJson(await readFile(result, 'utf8')) as RespectResult;
      const steps = Object.values(files).flatMap(({ executedWorkflows }) =>
        executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
      );
      return steps.flatMap(({ stepId, checks }) =>
        checks.filter(({ passed }) => !passed).map(({ name, message }) => `${stepId}: ${name}: ${firstWords(message)}`),
      );
    },
  },
  {
    name: 'Specmatic',
    packages: ['specmatic@2.55.1'],
    async complaints({ document, url, token, folder, programs }) {
      // It reads no range of statuses.
      const own = join(folder, 'without-ranges.json');
      await writeFile(own, JSON.stringify(document).replaceAll('"4XX":', '"400":'));
      const words = ['test', own, `--testBaseURL=${url}`];
      const output = await outputOf(join(programs, 'specmatic'), words, folder, { apiKey: `Token ${token}` });
      const reason = /Reason:\s+(.*)/.exec(output)?.[1] ?? 'no reason is given';
      if (!/Successes: [1-9]/.test(output)) throw new NothingTested(reason.trim());
      const failed = output.matchAll(/^API: (.*)$((?:\n(?!API: ).*){0,12}?)\n\s+(>> .*)$/gm);
      return [...failed].map(([, api = '', , part = '']) => `${api}: ${part}`);
    },
  },
];

interface NewmanResult {
  readonly run: {
    readonly failures: readonly { readonly error: { readonly test?: string; readonly message: string } }[];
  };
}

interface RespectStep {
  readonly stepId: string;
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message: string }[];
}

interface RespectResult {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: readonly { readonly executedSteps: readonly RespectStep[] }[] }>
  >;
}

/** All contract tests that it makes of a document. The media type of lists is not tested: it takes the first for the only one. */
function portman(token: string): unknown {
  const enabled = { enabled: true };
  return {
    version: 1,
    globals: {
      securityOverwrites: { apiKey: { value: `Token ${token}`, key: 'Authorization', in: 'header' } },
    },
    tests: {
      contractTests: [
        { openApiOperation: '*::/*', statusSuccess: enabled, jsonBody: enabled, schemaValidation: enabled },
      ],
    },
  };
}

/** What Prism says of each call of the document that goes through it. */
async function violations({ calls, url, token }: Setting, port: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { method, path, body } of calls) {
    const headers = { Authorization: `Token ${token}`, Accept: 'application/json', 'Content-Type': 'application/json' };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const { pathname } = new URL(url);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent).catch(() => undefined);
    const seen = answer?.headers.get('sl-violations') ?? (answer === undefined ? `no answer of ${pathname}` : '');
    if (seen !== '') found.push(`${method} ${path}: ${firstWords(seen)}`);
  }
  return found;
}

/** Without the excerpt of the answer, which is another each time. */
function firstWords(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[\d+m/g, '')
    .replace(/ >? ?\d+ \| .*/, '')
    .slice(0, 300);
}

async function outputOf(
  program: string,
  words: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, words, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  return stripVTControlCharacters(Buffer.concat(parts).toString());
}

async function said(child: ChildProcess, word: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = '';
  child.stdout!.on('data', (part) => (output += String(part)).includes(word) && resolve());
  child.once('exit', () => reject(new Error(`It ended, and had said: ${output}`)));
  await promise;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
