import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import { replay } from '../../../runner/replay/replay.ts';
import { startRecordingServer, type RecordingServer } from '../../reports/recordingServer.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const secret = 'a secret that belongs elsewhere';
const escape = '\u001b[2K\u202e';
let cwd: string;
let attacker: RecordingServer;
let target: RecordingServer;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-untrusted-'));
  [attacker, target] = await Promise.all([startRecordingServer(), startRecordingServer()]);
});
beforeEach(async () => {
  attacker.forget();
  target.forget();
  await rm(join(cwd, 'ran'), { force: true });
});
afterAll(async () => {
  await Promise.all([attacker.stop(), target.stop()]);
  await rm(cwd, { recursive: true });
});

/** A command that leaves a trace. */
const trace = 'echo ran >> ran';

/** A file that somebody else wrote. */
async function fileOf(parts: Partial<SavedCase>): Promise<string> {
  const saved: SavedCase = {
    seaworthy: 'case',
    format: 1,
    subject: 'receiver',
    kit: { name: 'seaworthy', version: '0.1.0' },
    check: 'receiver/acceptance/every-event',
    title: '',
    requirements: ['RCV-1'],
    summary: '',
    expected: '',
    actual: '',
    value: null,
    seed: 1,
    path: '0',
    intensity: 'quick',
    events: [],
    url: attacker.base,
    options: {},
    env: [],
    ...parts,
  };
  await writeFile(join(cwd, 'case.json'), JSON.stringify(saved));
  return join(cwd, 'case.json');
}

async function attacked(
  parts: Partial<SavedCase>,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const here = process.cwd();
  process.chdir(cwd);
  try {
    return await runHere(['replay', await fileOf(parts), ...words], cwd, environment);
  } finally {
    process.chdir(here);
  }
}

/** What became of an attack, without the words. */
function outcomeOf({ code, stdout, stderr }: Ended) {
  const [error] = /SW_\w+/.exec(stderr) ?? [];
  return { code, stdout, error, received: attacker.received.length, ran: existsSync(join(cwd, 'ran')) };
}

const refused = { code: 2, stdout: '', error: 'SW_CASE_UNTRUSTED', received: 0, ran: false };

const receiverAttacks: readonly (readonly [option: string, text: string])[] = [
  ['start', trace],
  ['reset', trace],
  ['probe', trace],
  ['probe', 'https://evil.example/{id}'],
  ['probe', 'http://localhost.evil.example/{id}'],
  ['probe', 'http://127.0.0.1@evil.example/{id}'],
  ['probe', 'http://127.0.0.1.evil.example/{id}'],
  ['probe', 'http://{id}.evil.example/'],
  ['probe', 'http://10.0.0.1/{id}'],
  ['probe', 'http://169.254.169.254/{id}'],
  ['probe', 'http://127.0.0.1:9/$SEAWORTHY_SECRET/{id}'],
  ['probe', ` http://127.0.0.1/{id}; ${trace}`],
  ['recover', trace],
  ['recover', 'http:evil.example'],
  ['image', 'evil.example/image:1'],
  ['apiListen', '0.0.0.0:4020'],
  ['apiListen', '127.0.0.1:4020'],
  ['published', '0.0.0.0'],
  ['ca', '/etc/passwd'],
  ['insecure', 'true'],
  ['assume', '@/etc/passwd'],
  ['header', 'X-Note: $SEAWORTHY_HEADER_X_API_KEY'],
  ['header', 'X-Note: ${SEAWORTHY_HEADER_X_API_KEY#* }'],
  ['header', 'X-Note: $SEAWORTHY_SECRET'],
];

const serviceAttacks: readonly (readonly [option: string, text: string])[] = [
  ['start', trace],
  ['reset', trace],
  ['emit', trace],
  ['emit', 'https://evil.example/'],
  ['emit', '/bin/sh -c id'],
  ['catcher', 'https://evil.example/'],
  ['catcher', 'http://127.0.0.1:9/'],
  ['catcherListen', '0.0.0.0:9'],
];

describe('a saved case of somebody else', () => {
  it.each(receiverAttacks)('does not decide --%s: %s', async (option, text) => {
    const { stderr, ...ended } = await attacked({ options: { [option]: [text] } }, [], {
      SEAWORTHY_HEADER_X_API_KEY: 'key',
    });
    expect(outcomeOf({ stderr, ...ended })).toEqual(refused);
    expect(stderr).toContain('case.json\n');
    const shown = option === 'insecure' ? '    --insecure\n' : text;
    expect(stderr.replaceAll("'", '')).toContain(shown);
    expect(stderr).toContain('add --trust');
    expect(stderr).not.toContain('key\n');
  });

  it.each(serviceAttacks)('about a service does not decide --%s: %s', async (option, text) => {
    const parts = {
      subject: 'service',
      check: 'service/authentication/no-key',
      options: { [option]: [text] },
    } as const;
    expect(outcomeOf(await attacked(parts))).toEqual(refused);
  });

  it.each([
    'https://evil.example/',
    'http://10.1.2.3/',
    'http://169.254.169.254/',
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
  ])('does not decide that anything is sent to %s, though it says --allow-remote', async (url) => {
    const ended = await attacked({ url, options: { allowRemote: ['true'], url: [url] } });
    expect(outcomeOf(ended)).toEqual(refused);
    expect(ended.stderr).toContain(`    --url ${url}\n`);
  });

  it.each([
    ['SEAWORTHY_SECRET', 'receiver', 'receiver/acceptance/every-event'],
    ['SEAWORTHY_TOKEN', 'service', 'service/authentication/no-key'],
  ] as const)('gets nothing of $%s at an address of its own, loopback or not', async (variable, subject, check) => {
    const ended = await attacked({ subject, check }, [], { [variable]: secret });
    expect(outcomeOf(ended)).toEqual(refused);
    expect(ended.stderr).toContain(`    --url ${attacker.base}\n`);
    expect(ended.stderr).not.toContain(secret);
  });

  it('gets no header that was given without an address', async () => {
    expect(outcomeOf(await attacked({}, ['--header', `X-Api-Key: ${secret}`]))).toEqual(refused);
  });

  it('brings no address, secret or consent of its own by the options that no run keeps', async () => {
    const options = {
      url: [attacker.base],
      secret: ['theirs'],
      token: ['theirs'],
      allowRemote: ['true'],
      env: ['NODE_OPTIONS=--require ./evil.js'],
      report: [`json=${join(cwd, 'ran')}`],
      learn: [join(cwd, 'ran')],
      export: [`vitest=${join(cwd, 'ran')}`],
      config: [join(cwd, 'evil.config.js')],
      corpus: [cwd],
      expectFailures: ['/etc/passwd'],
      constructor: [trace],
      toString: [trace],
    };
    const saved = {
      options: JSON.parse(`{ "__proto__": ["x"], ${JSON.stringify(options).slice(1)}`) as typeof options,
    };
    const { code, stdout } = await attacked({ ...saved, url: 'https://evil.example/' }, ['--url', target.base]);
    expect([code, stdout.split(' ')[0]]).not.toContain(2);
    expect(target.received.length).toBeGreaterThan(0);
    for (const { headers } of target.received) expect(headers.join('\n')).not.toMatch(/signature/i);
    expect(attacker.received).toEqual([]);
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });

  it('shows what it names without a code for the terminal', async () => {
    const { stderr } = await attacked({ options: { start: [`${escape}evil`] } });
    expect(stderr).toContain('<U+001B>[2K<U+202E>evil');
    for (const character of escape.replaceAll('[2K', '')) expect(stderr).not.toContain(character);
  });

  it('is looked at before any other file is played', async () => {
    const harmless = await fileOf({ url: target.base });
    await writeFile(join(cwd, 'first.json'), await readFile(harmless));
    expect(outcomeOf(await attacked({ options: { start: [trace] } }, [join(cwd, 'first.json')]))).toEqual(refused);
    expect(target.received).toEqual([]);
  });

  it('is refused by the function as well', async () => {
    const file = await fileOf({ options: { reset: [trace] } });
    const saved = JSON.parse(await readFile(file, 'utf8')) as SavedCase;
    await expect(replay(saved, { environment: {} })).rejects.toMatchObject({ code: 'SW_CASE_UNTRUSTED' });
    await expect(
      replay({ ...saved, options: {} }, { environment: { SEAWORTHY_SECRET: secret } }),
    ).rejects.toMatchObject({
      code: 'SW_CASE_UNTRUSTED',
    });
    expect(attacker.received).toEqual([]);
  });
});

describe('what a case names counts', () => {
  it('where nothing is at stake: a loopback address, and nothing secret', async () => {
    const { stderr } = await attacked({ options: { probe: [`${attacker.base}/{id}`] } });
    expect(stderr).toContain('SW_PROBE_UNUSABLE');
    expect(attacker.received.length).toBeGreaterThan(0);
  });

  it('with --trust, which shows it first', async () => {
    const { stderr } = await attacked({ options: { reset: [trace] } }, ['--trust'], { SEAWORTHY_SECRET: secret });
    expect(stderr).toMatch(
      /^--trust lets these files decide:\n {2}\S*case\.json\n {4}--url http:\/\/127\S+\n {4}--reset 'echo ran >> ran'\n$/,
    );
    expect(attacker.received.length).toBeGreaterThan(0);
    expect(existsSync(join(cwd, 'ran'))).toBe(true);
  });

  it('not even then for a remote target without --allow-remote', async () => {
    const { code, stderr } = await attacked({ url: 'http://192.0.2.1/', options: { allowRemote: ['true'] } }, [
      '--trust',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('SW_TARGET_REMOTE')]);
  });

  it('not where the option is given, nor where the config of the folder gives it', async () => {
    const parts = { url: 'https://evil.example/', options: { reset: [trace], start: [trace] } };
    const words = ['--url', target.base, '--reset', 'true', '--start', 'exit 3'];
    expect((await attacked(parts, words)).stderr).not.toContain('SW_CASE_UNTRUSTED');
    const config = join(cwd, 'seaworthy.config.json');
    await writeFile(config, JSON.stringify({ reset: 'true', receiver: { url: target.base, start: 'exit 3' } }));
    try {
      expect((await attacked(parts)).stderr).not.toContain('SW_CASE_UNTRUSTED');
    } finally {
      await rm(config);
    }
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });
});
