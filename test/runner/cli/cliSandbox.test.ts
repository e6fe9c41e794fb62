import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { serviceFaultNames } from '../../../reference/faults/service/index.ts';
import { lyingResolver } from '../lyingResolver.ts';
import { runCli, type CliOptions } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const here = process.cwd();
let cwd: string;
const started = new Set<ChildProcess>();

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-sandbox-'));
  process.chdir(cwd);
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
  process.chdir(here);
  await rm(cwd, { recursive: true });
});

/**
 * A sandbox at a free port. Once it serves `act` is called; it is ended when that is done and its output holds the text.
 */
async function sandbox(
  words: readonly string[],
  until: string,
  act: (shown: string) => Promise<void> = async () => {},
  environment: Readonly<Record<string, string>> = {},
) {
  let acted: Promise<void> | undefined;
  let done = false;
  let latest = '';
  const end = (child: ChildProcess): void => {
    if (done && latest.includes(until) && started.delete(child)) child.kill('SIGINT');
  };
  const onOutput: CliOptions['onOutput'] = (stdout, child) => {
    latest = stdout;
    if (acted === undefined && stdout.includes('Ctrl-C ends it.')) {
      started.add(child);
      acted = act(stdout).finally(() => (done = true));
      acted.then(
        () => end(child),
        () => child.kill('SIGKILL'),
      );
    }
    end(child);
  };
  const ended = await runCli(['sandbox', '--port', '0', ...words], { cwd, environment, onOutput });
  await acted;
  return ended;
}

/** What stands behind a word in the list of what the sandbox offers. */
function listed(shown: string, word: string): string {
  return new RegExp(`^  ${word} +(\\S+)`, 'm').exec(shown)![1]!;
}

/** The curl lines to try. */
function trials(shown: string): readonly string[] {
  return [...shown.matchAll(/^ {3}(curl .+)$/gm)].map(([, line]) => line!);
}

async function emit(shown: string, event = 'container.created'): Promise<void> {
  const answer = await fetch(listed(shown, 'events'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event }),
  });
  expect(answer.status).toBe(202);
}

describe('the sandbox', () => {
  it('says where it is and what to try, and ends with 0', async () => {
    const { code, stdout } = await sandbox(['--token', 'a key'], 'Ctrl-C');
    const origin = listed(stdout, 'address').replace('/v2', '');
    expect(code).toBe(0);
    expect(stdout.replaceAll(origin, 'http://127.0.0.1:4010')).toMatchInlineSnapshot(`
      "Shipment Tracking Service 0.2.0, running on this machine.

        address  http://127.0.0.1:4010/v2
        key      a key
        events   http://127.0.0.1:4010/emit  (POST {"event": "<name>"} raises one)
        tracks   MAEU:MAEU123456789, but does not find MAEU:MAEU123456404

      Try it, in another terminal:

      1. Register a receiver. The answer holds the secret that signs what it gets.
         curl http://127.0.0.1:4010/v2/webhooks -H 'Authorization: Token a key' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"webhook","attributes":{"url":"http://localhost:3000/hooks","active":true}}}'

      2. Raise an event: any event of the catalogue, on a made-up voyage.
         curl http://127.0.0.1:4010/emit -H 'Content-Type: application/json' -d '{"event":"container.transport.vessel_arrived"}'

      3. See what was sent, and how it went.
         curl http://127.0.0.1:4010/v2/webhook_notifications -H 'Authorization: Token a key'

      A tracking request raises the events of a whole voyage, which takes 40 days: with --speed 20000, three minutes.
      Each attempt to deliver a notification is shown below. Ctrl-C ends it.

      "
    `);
  });

  it('runs the receiver beside the service, and shows each delivery to it', async () => {
    const { code, stdout } = await sandbox(['--receiver'], 'attempt 1', (shown) => emit(shown));
    expect(code).toBe(0);
    const receiver = listed(stdout, 'receiver');
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}container\.created {2}attempt 1 {2}202 Accepted {2}http/m);
    expect(stdout).toContain(`202 Accepted  ${receiver}\n`);
  });

  it('tries again as asked, and shows it', async () => {
    const act = async (shown: string): Promise<void> => {
      const { url, init } = creation(shown, 'http://127.0.0.1:9/hooks');
      expect((await fetch(url, init)).status).toBe(201);
      await emit(shown);
    };
    const { stdout } = await sandbox(['--backoff', '5ms,10ms', '--backoff', '15ms'], 'attempt 13', act);
    expect(stdout).toMatch(
      /attempt 1 {2}no answer \(ECONNREFUSED\), again in \d+ ms {2}http:\/\/127\.0\.0\.1:9\/hooks/,
    );
    expect(stdout).toMatch(/attempt 13 {2}no answer \(ECONNREFUSED\) {2}http/);
  });

  it('goes on with a database that it kept', async () => {
    const words = ['--database', 'sandbox.db', '--token', 'key'];
    let url = '';
    const first = await sandbox(words, 'Ctrl-C', async (shown) => {
      const { url: address, init } = creation(shown, 'http://127.0.0.1:9/kept');
      await fetch(address, init);
    });
    const second = await sandbox([...words, '--backoff', '5ms'], 'kept', async (shown) => {
      url = listed(shown, 'address');
      await emit(shown);
    });
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.stdout).toContain('http://127.0.0.1:9/kept');
    expect(url).not.toBe('');
  });

  it('makes a mistake on demand, and says how to find it', async () => {
    const { code, stdout } = await sandbox(['--fault', 'signs-no-retry', '--token', 'key'], 'Ctrl-C');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ {2}(?:npx seaworthy|(?:npx )?node \S+) service http:\S+\/v2 --token key --emit http:\S+\/emit --trackable /m,
    );
  });
});

describe('a wrong use of the sandbox', () => {
  it.each([
    { words: ['--fault', 'signs-no-retries'], code: 'SW_OPTION_VALUE', says: 'did you mean "signs-no-retry"?' },
    {
      words: ['--fault', 'x'],
      code: 'SW_OPTION_VALUE',
      says: `faults of a service, such as ${serviceFaultNames[0]}\n`,
    },
    { words: ['--speed', '0'], code: 'SW_OPTION_VALUE', says: 'a number above 0' },
    { words: ['--backoff', '1s,soon'], code: 'SW_OPTION_VALUE', says: '1s,5s,30s' },
    { words: ['--host', '192.0.2.1'], code: 'SW_LISTEN_FAILED', says: '192.0.2.1 port 0' },
    { words: ['--database', 'no/such/folder/a.db'], code: 'SW_DATABASE_UNUSABLE', says: 'unable to open' },
    { words: ['--database', 'notes.txt'], code: 'SW_DATABASE_UNUSABLE', says: 'file is not a database' },
  ])('exits with 2: $words', async ({ words, code, says }) => {
    await writeFile(join(cwd, 'notes.txt'), 'These are notes, and no database at all.\n'.repeat(100));
    const ended = await runHere(['sandbox', '--port', '0', ...words], cwd);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`code:  ${code}\n`);
    expect(ended.stderr).toContain(says);
  });
});

/** The request of the first curl line, with another address for the notifications. */
function creation(shown: string, receiver: string): { readonly url: string; readonly init: RequestInit } {
  const [line = ''] = trials(shown);
  const [url = ''] = /http\S+/.exec(line) ?? [];
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name!, value!] as const);
  const body = /-d '([^']+)'/.exec(line)![1]!.replace('http://localhost:3000/hooks', receiver);
  return { url, init: { method: 'POST', headers: Object.fromEntries(headers), body } };
}

describe('what the sandbox delivers to', () => {
  /** What is said of webhooks at these hosts, and of a sample that is sent to each. */
  async function said(words: readonly string[], hosts: readonly string[], names: Record<string, readonly string[]>) {
    const last = `not sent: ${hosts.at(-1)!}`;
    const act = async (shown: string): Promise<void> => {
      const headers = {
        Authorization: `Token ${listed(shown, 'key')}`,
        'Content-Type': 'application/vnd.api+json',
      };
      const post = (path: string, body: object, type = headers['Content-Type']) =>
        fetch(listed(shown, 'address') + path, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': type },
          body: JSON.stringify(body),
        });
      for (const host of hosts) {
        const attributes = { url: `https://${host}/hooks`, active: true, events: ['container.updated'] };
        expect(await post('/webhooks', { data: { type: 'webhook', attributes } })).toMatchObject({ status: 201 });
        const sample = { url: `https://${host}/sample`, event: 'container.created' };
        expect(await post('/webhooks/trigger', sample, 'application/json')).toMatchObject({ status: 202 });
      }
      await emit(shown, 'container.updated');
    };
    const { stdout } = await sandbox(words, last, act, await lyingResolver(cwd, names));
    return stdout.match(/^not sent: .*$/gm) ?? [];
  }

  it('is this machine, whatever a name says', async () => {
    const hosts = ['10.0.0.1', 'hooks.localhost', 'hooks.example'];
    const names = { 'hooks.localhost': ['192.0.2.1'], 'hooks.example': ['127.0.0.1', '192.168.1.1'] };
    const lines = await said(['--backoff', '60s'], hosts, names);
    const why = 'is not on this machine; no connection was made';
    expect(new Set(lines)).toEqual(
      new Set([
        `not sent: 10.0.0.1 ${why}`,
        `not sent: hooks.localhost leads to 192.0.2.1, which ${why}`,
        `not sent: hooks.example leads to 192.168.1.1, which ${why}`,
      ]),
    );
  });

  it('is never a metadata service, not even with --allow-remote', async () => {
    const hosts = ['169.254.169.254', '[fe80::1]', '[64:ff9b::a9fe:a9fe]', 'metadata.example'];
    const names = { 'metadata.example': ['fd00:ec2::254'] };
    const lines = await said(['--allow-remote', '--backoff', '60s'], hosts, names);
    const why = 'is a link-local address or one of a metadata service; no connection was made';
    expect(new Set(lines)).toEqual(
      new Set([
        `not sent: 169.254.169.254 ${why}`,
        `not sent: fe80::1 ${why}`,
        `not sent: 64:ff9b::a9fe:a9fe ${why}`,
        `not sent: metadata.example leads to fd00:ec2::254, which ${why}`,
      ]),
    );
  });
});
