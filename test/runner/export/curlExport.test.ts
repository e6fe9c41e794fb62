import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ReportedAnswer, ReportedAttempt } from '../../../reports/model/exchange.ts';
import { fixedSchemes, parseScheme, signatureHeaders, verifySignature } from '../../../spec/signature.ts';
import { loadContract } from '../../../spec/contract.ts';
import { curlExport } from '../../../runner/export/curlExport.ts';
import { vitestTest } from '../../../runner/export/vitestTest.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import { startRecordingServer, type Received, type RecordingServer } from '../../reports/recordingServer.ts';
import { headerValue } from '../../../spec/headerText.ts';

const secrets = ['the first of two secrets', 'and the second one'];
const ids = ['5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0', '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a1'] as const;
const controlId = '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0ff';
const header = 'X-SVC-Webhook-Signature';
const answered: ReportedAnswer = { kind: 'answered', status: 200, headers: [], body: '', ms: 1 };
let server: RecordingServer;

beforeAll(async () => void (server = await startRecordingServer()));
beforeEach(() => server.forget());
afterAll(() => server.stop());

function bodyOf(id: string): string {
  return JSON.stringify({ data: { id, attributes: { note: "100 % 'sure'\\n \u{1f6a2}" } } });
}

/** A delivery of the notification, signed in the way that is named. */
function attempt(
  id: string,
  secret: string,
  { scheme = 'hmac-sha256-hex', wire }: { readonly scheme?: string; readonly wire?: readonly string[] } = {},
): ReportedAttempt {
  const body = Buffer.from(bodyOf(id));
  const signature = signatureHeaders(parseScheme(scheme), header, { secret, body, id, timestamp: 1_700_000_000 });
  const sha256 = createHash('sha256').update(body).digest('hex');
  return {
    request: {
      method: 'POST',
      url: `${server.base}/hooks`,
      headers: [['Content-Type', 'application/json'], ...signature],
      body: { bytes: body.length, sha256, text: body.toString() },
      ...(wire && { wire }),
    },
    answer: answered,
  };
}

function savedCase(attempts: readonly ReportedAttempt[], parts: Partial<SavedCase> = {}): SavedCase {
  return {
    seaworthy: 'case',
    format: 1,
    subject: 'receiver',
    kit: { name: 'seaworthy', version: '0.0.0' },
    check: 'receiver/fuzz/idm-2',
    title: 'A notification takes effect once.',
    requirements: ['IDM-2'],
    summary: 'two effects',
    expected: 'one effect',
    actual: 'two effects',
    exchange: { attempts },
    sent: { control: attempt(controlId, secrets[0]!).request, attempts },
    value: null,
    seed: 1,
    path: '0',
    intensity: 'standard',
    events: [],
    url: `${server.base}/hooks`,
    options: {},
    env: [],
    ...parts,
  };
}

async function play(
  saved: SavedCase,
  known = secrets,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; text: string }> {
  const script = await curlExport(saved, '/', known);
  if (typeof script !== 'string') throw new Error(script.why);
  const [first] = saved.sent?.attempts ?? [];
  const [probe] = saved.options['probe'] ?? [];
  const env = {
    ...process.env,
    ...(first && { SEAWORTHY_URL: first.request.url }),
    ...(probe !== undefined && { SEAWORTHY_PROBE: probe }),
    SEAWORTHY_SECRET: secrets[0],
    SEAWORTHY_SECRET_2: secrets[1],
    SEAWORTHY_SETTLE: '0',
    ...environment,
  };
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', script], { env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, text: stdout + stderr });
    });
  });
}

function idOf({ body }: Received): string {
  return (JSON.parse(body.toString()) as { readonly data: { readonly id: string } }).data.id;
}

/** Which of the secrets a request is signed with. */
function signer({ headers, body }: Received, scheme: string): string | undefined {
  const lookup = (name: string) => headerValue(headers, name);
  return secrets.find((secret) => verifySignature(parseScheme(scheme), header, lookup, { secret, body }));
}

/** What was sent to the server after the control. */
function delivered(): readonly Received[] {
  return server.received.slice(1);
}

/** A notification that is delivered twice, and should take effect once. @param probe - how effects are counted */
function effectCase(probe: string, url = `${server.base}/hooks`): SavedCase {
  const once = attempt(ids[0], secrets[0]!);
  const sent = { ...once, request: { ...once.request, url } };
  const effects = [{ id: ids[0], expected: 1, actual: 2 }];
  const saved = savedCase([sent, sent], { options: { probe: [probe] } });
  return { ...saved, exchange: { attempts: [sent, sent], effects } };
}

/** Counts the deliveries of each id. @param answer - what a count is answered with: a status and a body */
async function startProbe(answer: (count: number) => readonly [status: number, body: string]) {
  const probe = createServer((request, response) => {
    const id = request.url!.slice(1);
    const [status, body] = answer(server.received.filter((each) => idOf(each) === id).length);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(probe.address() as AddressInfo).port}/{id}`;
  return { url, close: () => new Promise((resolve) => probe.close(resolve)) };
}

/** What the script of the case says that is delivered twice. */
async function counted(answer: Parameters<typeof startProbe>[0], command = (url: string) => url) {
  const probe = await startProbe(answer);
  return play(effectCase(command(probe.url))).finally(() => probe.close());
}

/** The same as a command: it gets ids on standard input. */
const asCommand = (url: string) =>
  `while read -r id; do printf '%s ' "$id"; curl -s ${url.replace('{id}', '"$id"')}; echo; done`;
const json = (count: number) => JSON.stringify({ count });

describe('a receiver’s case with effects as a shell script', () => {
  it('fails as long as the number of effects is another one', async () => {
    const failing = await counted((count) => [200, json(count)]);
    expect(failing).toMatchObject({ code: 1, text: expect.stringMatching(/\nFAILS\n$/) });
    const fixed = await counted((count) => [200, json(Math.min(count, 1))]);
    expect(fixed).toMatchObject({ code: 0, text: expect.stringMatching(/\nFIXED\n$/) });
    expect(server.received).toHaveLength(6);
  });

  it('asks a command', async () => {
    const failing = await counted((count) => [200, String(count)], asCommand);
    expect(failing).toMatchObject({ code: 1, text: expect.stringMatching(/\nFAILS\n$/) });
  });

  it('counts no effects of what a probe answers 404 to', async () => {
    const { code, text } = await counted((count) => (count === 1 ? [200, json(1)] : [404, '']));
    expect([code, text]).toEqual([1, expect.stringMatching(/effects of [-\w]+: 0; right is 1/)]);
  });

  it.each([
    ['the answer holds no count', 200, '{}'],
    ['the answer is no JSON', 200, '<p>count: 1</p>'],
    ['a count is negative', 200, '{"count": -1}'],
    ['it knows of nothing', 404, ''],
    ['it fails', 500, '{"count":1}'],
  ])('says that it cannot run where effects cannot be counted: %s', async (_, status, body) => {
    const { code, text } = await counted(() => [status, body]);
    expect([code, text]).toEqual([3, expect.stringContaining('where a plain delivery takes effect once')]);
  });

  it.each([
    ['nobody answers', 'http://127.0.0.1:1/effects/{id}'],
    ['the command fails', 'exit 7'],
    ['the command prints no line', 'cat > /dev/null'],
  ])('says that it cannot run where there is no probe: %s', async (_, probe) => {
    const { code, text } = await play(effectCase(probe));
    expect([code, text]).toEqual([3, expect.stringContaining('where a plain delivery takes effect once')]);
  });

  it('says that it cannot run where no receiver answers, though effects can be counted', async () => {
    const { code, text } = await play(effectCase('echo', 'http://127.0.0.1:1/'));
    expect([code, text]).toEqual([3, expect.stringContaining('CANNOT RUN: nobody answers')]);
    expect(text).not.toContain('FAILS');
  });

  it('sends what was sent at the same moment at the same moment, several times', async () => {
    const saved = effectCase('');
    const copies = saved.sent!.attempts.map((each) => ({ ...each, moment: 1 }));
    const probe = await startProbe((count) => [200, json(count)]);
    const together = { ...saved, sent: { ...saved.sent!, attempts: copies }, options: { probe: [probe.url] } };
    expect(await play(together)).toMatchObject({ code: 1 });
    await probe.close();
    const right = await startProbe((count) => [200, json(Math.min(count, 1))]);
    const { code, text } = await play({ ...together, options: { probe: [right.url] } }).finally(() => right.close());
    expect([code, text]).toEqual([0, expect.stringContaining('in 10 tries, with copies as near together as')]);
    expect(new Set(server.received.map(idOf)).size).toBe(22);
  });

  it('says that it cannot run where it was exported without the secret and the ids are known', async () => {
    const probe = await startProbe((count) => [200, json(count)]);
    const saved = effectCase(probe.url);
    expect(await play(saved, [])).toMatchObject({ code: 1 });
    const { code, text } = await play(saved, []).finally(() => probe.close());
    expect([code, text]).toEqual([3, expect.stringContaining('the receiver knows these ids')]);
  });
});

describe('calls of a service as a shell script', () => {
  it('show their answers, and judge nothing', async () => {
    const saved = savedCase([attempt(ids[0], secrets[0]!)], { subject: 'service', url: server.base });
    const { code, text } = await play(saved, secrets, { SEAWORTHY_URL: `${server.base}/` });
    expect([code, server.received.length]).toEqual([3, 1]);
    expect(text).toContain('CANNOT RUN all of it');
  });
});

describe('a shell script of somebody else’s case', () => {
  it('goes where SEAWORTHY_URL says, with each of its requests, and asks for it where it is missing', async () => {
    const attacker = await startRecordingServer();
    try {
      const [first, second] = ['/hooks', '/other?x=1'].map((path) => {
        const sent = attempt(ids[0], secrets[0]!);
        return { ...sent, request: { ...sent.request, url: attacker.base + path } };
      }) as [ReportedAttempt, ReportedAttempt];
      const saved = savedCase([first, second], { url: `${attacker.base}/hooks` });
      await play(saved, secrets, { SEAWORTHY_URL: `${server.base}/mine` });
      expect(server.received.map(({ path }) => path)).toEqual(['/mine', '/mine', '/other?x=1']);
      expect(await play(saved, secrets, { SEAWORTHY_URL: '' })).toMatchObject({
        code: 3,
        text: expect.stringContaining('CANNOT RUN: set SEAWORTHY_URL to the address of the receiver'),
      });
      const service = savedCase([first, second], { subject: 'service', url: attacker.base });
      await play(service, secrets, { SEAWORTHY_URL: `${server.base}/v2` });
      expect(server.received.map(({ path }) => path).slice(3)).toEqual(['/v2/hooks', '/v2/other?x=1']);
      expect(attacker.received).toEqual([]);
    } finally {
      await attacker.stop();
    }
  });

  it('runs no probe of the case, and trusts no certificate because the case says so', async () => {
    const saved = effectCase('echo ran >&2; cat');
    const script = await curlExport({ ...saved, options: { ...saved.options, insecure: ['true'] } }, '/', secrets);
    expect(script).not.toMatch(/echo ran| -k /);
    const { code, text } = await play(saved, secrets, { SEAWORTHY_PROBE: '' });
    expect([code, text]).toEqual([3, expect.stringContaining('set SEAWORTHY_PROBE to what counts the effects')]);
  });

  it('holds no file of another folder', async () => {
    const sent = attempt(ids[0], secrets[0]!);
    const bytes = readFileSync('/etc/passwd');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const body = { bytes: bytes.length, sha256, file: '/etc/passwd' };
    const saved = savedCase([{ ...sent, request: { ...sent.request, body } }]);
    expect(await curlExport(saved, process.cwd(), secrets)).toMatchObject({ why: expect.any(String) });
  });
});

describe('a Vitest test of somebody else’s case', () => {
  it('takes the address, commands, and what is secret from the environment alone', () => {
    const options = {
      start: ['echo start'],
      reset: ['echo reset'],
      probe: ['http://127.0.0.1:9/{id}'],
      header: ['Accept: */*', 'X-Api-Key: $SEAWORTHY_HEADER_X_API_KEY'],
      port: ['80'],
      insecure: ['true'],
      settle: ['1s'],
      allowRemote: ['true'],
      constructor: ['x'],
    };
    const text = vitestTest(savedCase([attempt(ids[0], secrets[0]!)], { options }), 'a.test.ts');
    const code = text.split('\n').filter((line) => !line.startsWith('//'));
    expect(code.filter((line) => line.startsWith('  options:'))).toEqual(['  options: {"settle":["1s"]},']);
    expect(code.slice(code.findIndex((line) => line.includes('await replay('))).join('\n')).toMatchInlineSnapshot(`
      "  const { outcome, says } = await replay(saved as SavedCase, {
          url: required("SEAWORTHY_URL"),
          secret: process.env["SEAWORTHY_SECRET"]?.split('\\n'),
          probe: process.env["SEAWORTHY_PROBE"],
          start: process.env["SEAWORTHY_START"],
          reset: process.env["SEAWORTHY_RESET"],
          header: [
            "Accept: */*",
            "X-Api-Key: " + required("SEAWORTHY_HEADER_X_API_KEY"),
          ],
          port: Number(process.env["SEAWORTHY_PORT"]) || undefined,
          insecure: process.env["SEAWORTHY_INSECURE"] === 'true',
        });
        expect(outcome, says).toBe('fixed');
      }, 300_000);

      function required(name: string): string {
        const value = process.env[name];
        if (value) return value;
        throw new Error(name + ' is not set in the environment: the comment at the top of this file says what it holds');
      }
      "
    `);
  });
});

describe('a receiver’s case as a shell script', () => {
  it.each(['hmac-sha256-hex', 'sha256=hmac-sha256-base64', ...fixedSchemes.map(({ name }) => name)])(
    'makes fresh ids that are as near as they were, and signs with the same secrets: %s',
    async (scheme) => {
      const attempts = [
        attempt(ids[0], secrets[0]!, { scheme }),
        attempt(ids[1], secrets[1]!, { scheme }),
        attempt(ids[0], 'a forger', { scheme }),
        attempt(ids[0], secrets[0]!, { scheme }),
      ];
      const { text } = await play(savedCase(attempts, { options: { assume: [`signature.scheme=${scheme}`] } }));
      expect(text).toContain('4. answered 200 (when it was found: 200)');
      const [first, second, forged, again] = delivered() as readonly [Received, Received, Received, Received];
      expect(idOf(first)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(idOf(second).slice(0, -1)).toBe(idOf(first).slice(0, -1));
      expect(new Set([idOf(first), idOf(second), ...ids]).size).toBe(4);
      expect([idOf(forged), idOf(again)]).toEqual([idOf(first), idOf(first)]);
      expect(first.body.toString()).toBe(bodyOf(idOf(first)));
      expect(delivered().map((request) => signer(request, scheme))).toEqual([...secrets, undefined, secrets[0]]);
    },
  );

  it('sends the very same bytes where the secrets are not known', async () => {
    await play(savedCase([attempt(ids[0], secrets[0]!)]), []);
    expect(server.received.map(({ body }) => body.toString())).toEqual([bodyOf(controlId), bodyOf(ids[0])]);
    expect(signer(server.received[1]!, 'hmac-sha256-hex')).toBe(secrets[0]);
  });

  it('takes what is hidden in the case from the environment', async () => {
    const { request, ...rest } = attempt(ids[0], secrets[0]!);
    const headers = [...request.headers, ['X-Key', '$SEAWORTHY_HEADER_X_KEY'] as const];
    const saved = savedCase([{ ...rest, request: { ...request, headers } }], {
      options: { header: ['X-Key: $SEAWORTHY_HEADER_X_KEY'] },
    });
    expect((await play(saved)).text).toContain('set SEAWORTHY_HEADER_X_KEY to what the run was given in its place');
    expect(server.received).toEqual([]);
    await play(saved, secrets, { SEAWORTHY_HEADER_X_KEY: 'a "key" $1' });
    expect(server.received[1]?.headers).toContainEqual(['X-Key', 'a "key" $1']);
    expect(vitestTest(saved, 'found.test.ts')).toContain('//   SEAWORTHY_HEADER_X_KEY, which the file does not hold');
  });

  it('is not written where the case fails only beside others, which a test for Vitest plays with it', async () => {
    const steps = (words: string) => [{ words, step: { do: 'deliver' }, seed: 1, path: '' }];
    const saved = savedCase([attempt(ids[0], secrets[0]!)], {
      sequence: steps('deliver a'),
      beside: [steps('deliver b'), steps('deliver c')],
    });
    expect(await curlExport(saved, '/', secrets)).toMatchObject({ why: expect.stringContaining('at the same time') });
    const test = vitestTest(saved, 'found.test.ts');
    expect(test).toContain('// It fails only while 2 others are played at the same time, and so it is played with:\n');
    expect(test).toContain('//   1. deliver b\n// and with:\n//   1. deliver c\n');
    expect(test).toContain(`  beside: ${JSON.stringify(saved.beside)},\n`);
  });

  it.each([
    ['accepted', 202, [200, 200], 1],
    ['accepted', 202, [200, 401], 0],
    ['refused', 400, [200, 401], 1],
    ['refused', 400, [200, 204], 0],
    ['failed', 500, [200, 502], 1],
    ['failed', 500, [200, 400], 0],
    ['failed', 500, [200, 200], 1],
    ['something else', 500, [200, 500], 1],
    ['something else', 500, [200, 200], 3],
    // A receiver that refuses a plain delivery shows nothing.
    ['refused', 400, [401, 401], 3],
    ['accepted', 202, [404, 404], 3],
  ])('judges the last answer by the cause: %s, found with %s, now %s: exit %s', async (cause, was, now, exit) => {
    const answering = await startRecordingServer((number) => now[number - 1]!);
    const last = attempt(ids[0], secrets[0]!);
    const url = `${answering.base}/hooks`;
    const found = { request: { ...last.request, url }, answer: { ...answered, status: was } };
    const { code, text } = await play(savedCase([found], { cause })).finally(() => answering.stop());
    expect([code, text]).toEqual([exit, expect.stringContaining(['FIXED', 'FAILS', '', 'CANNOT RUN'][exit]!)]);
  });

  it('makes forged signatures of the genuine ones of its ids, as they were made', async () => {
    const genuine = attempt(ids[0], secrets[0]!);
    const [type, [name, value] = ['', '']] = genuine.request.headers;
    const forged = [value.slice(0, -1), `${value.slice(0, -1)}_`, `x${value}`].map((each) => {
      return { ...genuine, request: { ...genuine.request, headers: [type!, [name, each] as const] } };
    });
    await play(savedCase([genuine, ...forged], { cause: 'accepted' }));
    const [now, ...sent] = delivered().map(({ headers }) => headers.find(([each]) => each === name)?.[1] ?? '');
    expect(now).not.toBe(value);
    expect(sent).toEqual([now!.slice(0, -1), `${now!.slice(0, -1)}_`, `x${now}`]);
  });

  it('sends a forgery as it is that was made of its own bytes, and calls nothing fixed where one comes before', async () => {
    const { request } = attempt(ids[0], 'a forger');
    const forged = { request, answer: answered };
    const genuine = attempt(ids[0], secrets[0]!);
    await play(savedCase([forged], { cause: 'accepted' }));
    expect(delivered().map(({ body }) => body.toString())).toEqual([bodyOf(ids[0])]);
    const refused = { ...genuine, answer: { ...answered, status: 400 } };
    expect(await play(savedCase([forged, refused], { cause: 'refused' }))).toMatchObject({
      code: 3,
      text: expect.stringContaining('the signature of request 1 was made for other bytes'),
    });
  });

  it('says that it cannot run where nobody answers', async () => {
    const nobody = { ...attempt(ids[0], secrets[0]!), answer: { ...answered, status: 400 } };
    const gone = { ...nobody, request: { ...nobody.request, url: 'http://127.0.0.1:1/' } };
    const { code, text } = await play(savedCase([gone]));
    expect([code, text]).toEqual([3, expect.stringContaining('CANNOT RUN')]);
  });

  it('says what it leaves out, and then calls nothing fixed', async () => {
    const wire = ['send the headers with a content length', 'send the body from 0% to 50%', 'reset the connection'];
    const broken = attempt(ids[0], secrets[0]!, { wire });
    const whole = attempt(ids[0], secrets[0]!, { wire: ['send the headers with a content length', 'send the body'] });
    const refused: ReportedAttempt = { ...whole, answer: { ...answered, status: 401 } };
    const saved = savedCase([broken, refused], { cause: 'refused' });
    expect(await curlExport(saved, '/', secrets)).toContain('# Not as it was: request 1 is left out (written by hand');
    const { code, text } = await play(saved);
    expect(delivered()).toHaveLength(1);
    expect(text).toContain('CANNOT RUN: it did not fail, but request 1 is left out');
    expect(code).toBe(3);
    expect((await play(savedCase([broken, whole], { cause: 'accepted' }))).code).toBe(1);
  });

  it('shows nothing where the request was left out whose answer shows the failure', async () => {
    const wire = ['send the headers with a content length', 'send the body from 0% to 50%', 'reset the connection'];
    const saved = savedCase([attempt(ids[0], secrets[0]!), attempt(ids[1], secrets[0]!, { wire })]);
    expect(await play(saved)).toMatchObject({
      code: 3,
      text: expect.stringContaining('CANNOT RUN: the request whose'),
    });
  });

  it.each([
    ['in parts', ['send the body from 0% to 17%', 'send nothing for 52 ms', 'send the body from 17% to 100%']],
    ['beside others', ['send nothing until what runs beside it is over', 'send the body']],
  ])('sends at once what came whole, but %s, and calls nothing fixed by that', async (_, lines) => {
    const wire = ['send the headers with a content length', ...lines];
    const paced = attempt(ids[0], secrets[0]!, { wire });
    const failing = await play(savedCase([paced], { cause: 'accepted' }));
    expect(failing).toMatchObject({ code: 1, text: expect.stringMatching(/\nFAILS\n$/) });
    expect(delivered().map(({ body }) => body.toString())).toEqual([expect.stringContaining('"note"')]);
    const held = await play(savedCase([{ ...paced, answer: { ...answered, status: 401 } }], { cause: 'refused' }));
    expect(held).toMatchObject({
      code: 3,
      text: expect.stringContaining('CANNOT RUN: it did not fail, but request 1 is sent at once'),
    });
  });

  it('asks for the contract of a case where that is a file', async () => {
    const saved = savedCase([attempt(ids[0], secrets[0]!)]);
    const named = { ...saved, options: { ...saved.options, contract: ['./own.yaml'] } };
    expect(await curlExport(named, '/', secrets)).toMatchObject({ why: expect.stringContaining('with --contract') });
    expect(await curlExport(named, '/', secrets, loadContract())).toContain('fresh()');
  });

  it('does not send a body that stopped before its end', async () => {
    const wire = ['send the headers with a content length', 'send the body from 0% to 17%', 'send nothing for 52 ms'];
    const saved = savedCase([attempt(ids[0], secrets[0]!, { wire })]);
    expect(await curlExport(saved, '/', secrets)).toMatchObject({ why: expect.stringContaining('no request') });
  });

  it.each([
    [
      'nothing was sent',
      (saved: SavedCase) => ({ ...saved, exchange: { attempts: [] }, sent: { ...saved.sent!, attempts: [] } }),
      'holds no request',
    ],
    ['it was killed', (saved: SavedCase) => ({ ...saved, timeline: [] }), 'kills and pauses nothing'],
  ])('is not there where %s', async (_, change, why) => {
    const made = await curlExport(change(savedCase([attempt(ids[0], secrets[0]!)])), '/', secrets);
    expect(made).toMatchObject({ why: expect.stringContaining(why) });
  });
});
