import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { readJournal } from '../../../reports/model/journal.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { once, runCli, type CliOptions, type Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const secret = 'a secret that nobody else has';
const here = process.cwd();
let cwd: string;
let receiver: RunningReceiver;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-cli-'));
  // Failed cases are saved below the directory that the process is in.
  process.chdir(cwd);
  receiver = await startReceiver({ secrets: [secret] });
});

afterEach(async () => {
  await receiver.close();
  process.chdir(here);
  await rm(cwd, { recursive: true });
});

const environment = { PATH: process.env['PATH'] ?? '', SEAWORTHY_SECRET: secret };

/** The words of a quick run against the receiver, with everything that a user can give it. */
function wordsOf(words: readonly string[]): readonly string[] {
  return ['receiver', receiver.url, '--probe', receiver.probe, '--intensity', 'quick', ...words];
}

/** Such a run, in this process. */
function hold(
  words: readonly string[],
  given = environment,
  onOutput?: (stdout: string, end: () => void) => void,
): Promise<Ended> {
  return runHere(wordsOf(words), cwd, given, onOutput);
}

/** The same as a program of its own: for what its streams carry, and for signals. */
function start(words: readonly string[], onOutput?: CliOptions['onOutput']): Promise<Ended> {
  return runCli(wordsOf(words), { cwd, environment, ...(onOutput && { onOutput }) });
}

async function startFaulty(name: string): Promise<void> {
  await receiver.close();
  receiver = await startReceiver({ secrets: [secret], policies: receiverFaults[name]!.change(conformingPolicies) });
}

async function onlyJournal(): Promise<{ path: string; events: readonly RunEvent[] }> {
  const names = await readdir(join(cwd, '.seaworthy', 'runs'));
  const [name = '', ...others] = names.filter((each) => each.endsWith('.ndjson'));
  expect(others).toEqual([]);
  const path = join('.seaworthy', 'runs', name);
  return { path, events: readJournal(await readFile(join(cwd, path), 'utf8')) };
}

describe('a run', () => {
  it('exits with 0 where nothing is broken, and shows where its journal is', async () => {
    const { code, stdout, stderr } = await hold(['--only', 'VRF-3', '--seed', '7']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { path, events } = await onlyJournal();
    expect(stdout).toContain(path);
    expect(stdout).toContain('seed 7');
    expect(events[0]).toMatchObject({ type: 'run.started', run: { seed: 7, intensity: 'quick' } });
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: true, interrupted: false });
  });

  it('exits with 3 where nothing could be observed', async () => {
    const { code, stdout } = await hold(['--only', 'receiver/signature/forged'], {
      ...environment,
      SEAWORTHY_SECRET: '',
    });
    expect(code).toBe(3);
    expect(stdout).toContain('--secret');
  });

  it('exits with 1 where a MUST is broken, and shows a secret nowhere, wherever it was given', async () => {
    await startFaulty('verifies-nothing');
    const words = [
      '--only',
      'receiver/signature/forged',
      '--secret',
      secret,
      '--report',
      'terminal',
      '--report',
      'json=a.json',
      '--report',
      'junit=a.xml',
    ];
    const { code, stdout, stderr } = await hold(words);
    expect(code).toBe(1);
    expect(stdout).toContain('Does not conform');
    const { path } = await onlyJournal();
    const files = await Promise.all(['a.json', 'a.xml', path].map((file) => readFile(join(cwd, file), 'utf8')));
    for (const text of [stdout, stderr, ...files]) expect(text).not.toContain(secret);
    expect(stdout).toContain('--secret "${SEAWORTHY_SECRET:?set it to the value of --secret}"');
  });

  it('writes JSON to standard output alone, and the verdict and the path of the journal to standard error', async () => {
    const { code, stdout, stderr } = await start([
      '--only',
      'receiver/idempotency/redelivery-accepted',
      '--report',
      'json',
    ]);
    const report = JSON.parse(stdout) as JsonReport;
    expect(report.checks.map(({ outcome }) => outcome)).toEqual(['passed']);
    expect(stderr).toBe(
      `Passed: the one check that was chosen passed; 1 of 11 MUSTs observed, none broken (exit code 0)\njournal: ${(await onlyJournal()).path}\n`,
    );
    expect(code).toBe(0);
  });

  it('writes the journal where --report says, and nowhere else', async () => {
    await hold(['--only', 'receiver/idempotency/redelivery-accepted', '--report', 'journal=out/a.ndjson']);
    expect(await readdir(cwd)).toEqual(['out']);
    expect(readJournal(await readFile(join(cwd, 'out', 'a.ndjson'), 'utf8')).at(-1)?.type).toBe('run.finished');
  });

  it('takes its options from the config file as well', async () => {
    const config = { seed: 5, report: 'json=from-config.json', receiver: { url: receiver.url, secret, only: 'VRF-3' } };
    await writeFile(join(cwd, 'seaworthy.config.json'), JSON.stringify(config));
    const { code } = await runHere(['receiver', '--intensity', 'quick'], cwd);
    const report = JSON.parse(await readFile(join(cwd, 'from-config.json'), 'utf8')) as JsonReport;
    expect(code).toBe(0);
    expect(report).toMatchObject({ run: { seed: 5, intensity: 'quick' }, target: { address: receiver.url } });
  });

  it('resets the target first', async () => {
    const { code } = await hold([
      '--only',
      'receiver/idempotency/redelivery-accepted',
      '--reset',
      'echo clean > reset.txt',
    ]);
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'reset.txt'), 'utf8')).toBe('clean\n');
  });

  it('sends nothing where it only lists', async () => {
    const { stdout } = await hold(['--list']);
    expect(stdout).toContain('nothing was sent');
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('a run that does not come to its end', () => {
  it('exits with 130 after Ctrl-C, its reports complete and marked incomplete', async () => {
    const { code } = await start(
      ['--intensity', 'standard', '--report', 'terminal', '--report', 'json=a.json'],
      once('a plain delivery', (child: ChildProcess) => child.kill('SIGINT')),
    );
    const report = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8')) as JsonReport;
    expect(code).toBe(130);
    expect(report.run.complete).toBe(false);
    expect((await onlyJournal()).events.at(-1)).toMatchObject({ type: 'run.finished', interrupted: true });
  });

  it('exits with 3 where the target dies in the middle, with what was seen until then', async () => {
    const { code, stdout } = await hold(
      ['--only', 'receiver/idempotency/*', '--report', 'terminal', '--report', 'json=a.json'],
      environment,
      once('✓ receiver/', () => void receiver.close()),
    );
    const report = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8')) as JsonReport;
    expect(code).toBe(3);
    expect(report.run.complete).toBe(false);
    expect(report.summary.passed).toBeGreaterThan(0);
    expect(stdout).toContain('The target could not be tested to the end');
  });
});

describe('a contract with an event that nobody can send', () => {
  const impossible = { allOf: [{ type: 'string' }, { type: 'integer' }] };
  const webhook = (name: string, more: object = {}) => ({
    post: {
      operationId: name,
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['id', 'type', ...Object.keys(more)],
              properties: { id: { type: 'string', format: 'uuid' }, type: { const: name }, ...more },
            },
          },
        },
      },
    },
  });

  async function runOf(webhooks: object): Promise<Ended> {
    const document = { openapi: '3.1.0', info: { title: 'Impossible', version: '1' }, webhooks };
    await writeFile(join(cwd, 'document.json'), JSON.stringify(document));
    await writeFile(
      join(cwd, 'contract.yaml'),
      'contract: 1\nopenapi: ./document.json\nevent: { at: $request.body#/type }\nid: { at: $request.body#/id, form: uuid }\naccepts: [2XX]\n',
    );
    const words = [
      'receiver',
      receiver.url,
      '--contract',
      join(cwd, 'contract.yaml'),
      '--intensity',
      'quick',
      '--only',
      'RCV-1',
    ];
    return runHere(words, cwd);
  }

  it('is tested with its other events, and says which one is missing, and why', async () => {
    const server = createServer((request, response) => void request.resume().on('end', () => response.end()));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await receiver.close();
    receiver = { ...receiver, url: `http://127.0.0.1:${port}/`, close: async () => void server.close() };
    const { code, stdout } = await runOf({ good: webhook('good'), never: webhook('never', { n: impossible }) });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the event never is not tested'),
    });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain("No values can be generated for 'schema' at /properties/n");
  });

  it('is no contract to test with where it has no other', async () => {
    const { code, stderr, stdout } = await runOf({ never: webhook('never', { n: impossible }) });
    expect({ code, said: stderr + stdout }).toMatchObject({
      code: 2,
      said: expect.stringContaining('SW_CONTRACT_INVALID'),
    });
  });
});
