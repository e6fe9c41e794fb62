import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type CurlInput, type CurlRequest, curlScript } from '../../../reports/curl/curl.ts';
import {
  fixedSchemes,
  parseScheme,
  type SignatureScheme,
  signatureHeaders,
  verifySignature,
} from '../../../spec/signature.ts';
import { providedSchemes } from '../../spec/signatureForms.ts';
import { type Received, type RecordingServer, own, startRecordingServer } from '../recordingServer.ts';
import { headerValue } from '../../../spec/headerText.ts';

const run = promisify(execFile);
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const noCurl = !has('curl');
const noOpenssl = noCurl || spawnSync('openssl', ['version']).error !== undefined;
const shells = ['dash', 'bash'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

let server: RecordingServer;
let url: string;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-curl-'));
  server = await startRecordingServer();
  url = `${server.base}/hooks?a=1`;
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

beforeEach(() => server.forget());

function request(body: string | Buffer, headers: CurlRequest['headers'] = [], method = 'POST'): CurlRequest {
  return { method, url, headers, body: Buffer.from(body) };
}

/** Runs the script as somebody who pastes it would, and gives what came of it. */
async function paste(shell: string, input: CurlInput, secret = ''): Promise<string> {
  const script = curlScript(input);
  if (script === undefined) throw new Error('there is no script');
  expect(script.text).toMatch(/^[\x20-\x7e\n]*$/);
  await Promise.all(script.files.map(({ path, content }) => writeFile(path, content)));
  const { stdout } = await run(shell, ['-c', script.text], { env: { ...process.env, SEAWORTHY_SECRET: secret } });
  return stdout;
}

describe.skipIf(noCurl).each(shells)('curl lines pasted into %s (skipped where curl is missing)', (shell) => {
  test('send a plain delivery as it was, with no header of their own', async () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['X-Signature', 'it\'s "a" $b `c` \\ !d; @e'],
    ] as const;
    const output = await paste(shell, { requests: [request(`@{"it's":"50% \\\\ $HOME !!"}`, headers)] });
    expect(output).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*seen\n$/);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/hooks?a=1',
      body: Buffer.from(`@{"it's":"50% \\\\ $HOME !!"}`),
    });
    expect(own(server.received[0] as Received)).toEqual(headers);
  });

  test('send any bytes and any header value', async () => {
    const value = fc
      .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }), fc.constant(9)), {
        maxLength: 20,
      })
      .map((codes) => String.fromCharCode(...codes).trim());
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => new TextEncoder().encode(text)),
    );
    const one = fc.record({
      method: fc.constantFrom('POST', 'PUT', 'DELETE'),
      body: bytes.map((array) => Buffer.from(array)),
      headers: fc.array(fc.tuple(fc.constantFrom('X-One', 'x-two', 'Accept', 'user-agent', 'Content-Type'), value), {
        maxLength: 3,
      }),
    });
    const distinct = fc.uniqueArray(one, {
      minLength: 1,
      maxLength: 8,
      selector: ({ headers, body }) => JSON.stringify([headers, body]),
    });
    await fc.assert(
      fc.asyncProperty(distinct, async (sent) => {
        server.forget();
        const once = sent.map((each) => ({
          ...each,
          headers: each.headers.filter(([name], at) => each.headers.findIndex(([other]) => other === name) === at),
        }));
        await paste(shell, { requests: once.map((each) => ({ url, ...each })) });
        expect(server.received.map((each) => ({ method: each.method, headers: own(each), body: each.body }))).toEqual(
          once,
        );
      }),
      { numRuns: 12 },
    );
  });

  test('send every byte there is, and a body that a printf could take for an option', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await paste(shell, { requests: [request(all), request('-n\n'), request('')] });
    expect(server.received.map(({ body }) => body)).toEqual([all, Buffer.from('-n\n'), Buffer.alloc(0)]);
  });

  test('take large bodies from files beside them, equal ones from one', async () => {
    const large = `{"a":"${'é'.repeat(9000)}"}`;
    const other = large.replace('a', 'b');
    const input = {
      requests: [large, large, other].map((text) => request(text)),
      bodyFile: join(directory, "it's here.json"),
    };
    expect(curlScript(input)?.files.map(({ path }) => path)).toEqual([
      input.bodyFile,
      join(directory, "it's here-2.json"),
    ]);
    await paste(shell, input);
    expect(server.received.map(({ body }) => body.toString())).toEqual([large, large, other]);
    expect(server.received.flatMap(own)).toEqual([]);
  });

  test('keep a body of 2 MB from waiting for an interim answer', async () => {
    await paste(shell, { requests: [request('x'.repeat(2_000_000))], bodyFile: join(directory, 'large.json') });
    expect(server.received[0]?.body.length).toBe(2_000_000);
    expect(server.received.flatMap(own)).toEqual([]);
  });

  test('repeat a redelivery in a loop', async () => {
    await paste(shell, { requests: [...Array.from({ length: 3 }, () => request('a\n')), request('b')] });
    expect(server.received.map(({ body }) => body.toString())).toEqual(['a\n', 'a\n', 'a\n', 'b']);
  });

  test('ask the probe last, by URL or by command', async () => {
    const probe = url.replace('/hooks?a=1', '/effects/{id}');
    await paste(shell, { requests: [request('{}')], effects: { probe, ids: ['a b'] } });
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /hooks?a=1',
      'GET /effects/a%20b',
    ]);
    const output = await paste(shell, {
      requests: [request('{}')],
      effects: { probe: `while read id; do echo "$id 2"; done`, ids: ['i-1', 'i-2'] },
    });
    expect(output).toMatch(/i-1 2\ni-2 2\n$/);
  });

  test
    .skipIf(noOpenssl)
    .each([
      ...fixedSchemes.flatMap((scheme) =>
        ['it is a s€cret', 'no base64 at all!'].map((secret) => [scheme.name, scheme, secret] as const),
      ),
      ...providedSchemes,
    ] as const)('sign again from $SEAWORTHY_SECRET: %s', async (_, scheme, secret) => {
    const body = Buffer.from('{"é":\n1}');
    const signed = signatureHeaders(scheme, 'X-Signature', { secret, body, id: "it's-1", timestamp: 1000 });
    const signing = { scheme, header: 'X-Signature', secrets: [secret] };
    await paste(
      shell,
      { requests: [{ method: 'POST', url, body, headers: [['X-Other', '1'], ...signed] }], signing },
      secret,
    );
    const headers = new Map(server.received.flatMap(own).map(([key, value]) => [key.toLowerCase(), value]));
    expect(server.received[0]?.body).toEqual(body);
    expect(verifySignature(scheme, 'X-Signature', (key) => headers.get(key.toLowerCase()), { secret, body })).toBe(
      true,
    );
    expect([...headers.values()].join()).not.toMatch(/\b1000\b/);
    expect(headers.get('x-other')).toBe('1');
  });

  test.skipIf(noOpenssl)('keep how far another timestamp is from the one that is signed', async () => {
    const scheme = parseScheme('timestamped');
    const signing = { scheme, header: 'X-Signature', secrets: ['right'] };
    const [[name, value] = ['', '']] = signatureHeaders(scheme, 'X-Signature', {
      secret: 'right',
      body: Buffer.from('{}'),
      id: '',
      timestamp: 1000,
    });
    const header = [name, value.replace(',', ',t=1007,')] as const;
    await paste(shell, { requests: [request('{}', [header])], signing }, 'right');
    const sent = headerValue(server.received[0]?.headers ?? [], name) ?? '';
    const [first = 0, second = 0] = [...sent.matchAll(/t=(\d+)/g)].map(([, time]) => Number(time));
    expect(second - first).toBe(7);
  });
});

describe('what curl cannot show has no lines', () => {
  const scheme = parseScheme('timestamped');
  const signing = { scheme, header: 'X-Signature', secrets: ['right'] };
  const signedWith = (secret: string): CurlRequest => {
    const body = Buffer.from('{}');
    return {
      method: 'POST',
      url: 'http://localhost/',
      body,
      headers: signatureHeaders(scheme, 'X-Signature', { secret, body, id: '', timestamp: 1 }),
    };
  };
  const plain = { method: 'POST', url: 'http://localhost/', headers: [], body: Buffer.from('{}') };

  test.each([
    ['a request written by hand', { requests: [{ ...plain, wire: ['waits'] }] }],
    ['a line break in a header', { requests: [{ ...plain, headers: [['X-A', 'a\r\nX-B: b']] as const }] }],
    ['a character past latin1 in a header', { requests: [{ ...plain, headers: [['X-A', '€']] as const }] }],
    [
      'another content length than the body has',
      { requests: [{ ...plain, headers: [['Content-Length', '7']] as const }] },
    ],
    ['a time-stamped signature that is not genuine', { requests: [signedWith('wrong')], signing }],
    ['no request at all', { requests: [] }],
  ])('%s', (_, input: CurlInput) => {
    expect(curlScript(input)).toBeUndefined();
  });

  test('but a request without any signature has', () => {
    expect(curlScript({ requests: [plain], signing })?.text).not.toContain('SEAWORTHY_SECRET');
  });

  test('and no secret ever stands in them', () => {
    expect(curlScript({ requests: [signedWith('right')], signing })?.text).not.toContain('right');
  });
});

test('the lines of a delivery', () => {
  const headers = [
    ['Content-Type', 'application/json'],
    ['X-Signature', 'a0b1'],
    ['X-Empty', ''],
    ['X-Latin', 'é'],
  ] as const;
  const requests = [
    { method: 'POST', url: 'http://127.0.0.1:4711/hooks', headers, body: Buffer.from(`{ "a":"it's"}`) },
  ];
  expect(curlScript({ requests, timeout: 10_000, effects: { probe: './effects', ids: ['i-1'] } })?.text)
    .toMatchInlineSnapshot(`
    "curl -sS -i --http1.1 -m 10 -X POST 'http://127.0.0.1:4711/hooks' \\
      -H 'Content-Type: application/json' \\
      -H 'X-Signature: a0b1' \\
      -H 'X-Empty;' \\
      -H "$(printf 'X-Latin: \\351')" \\
      -H 'Accept:' \\
      -H 'Expect:' \\
      -H 'User-Agent:' \\
      --data-raw '{ "a":"it'\\''s"}' \\
      -w '\\n'
    sleep 1
    printf '%s\\n' 'i-1' | ./effects"
  `);
  const escaped = [{ ...requests[0], headers: [], body: Buffer.from('{\n"a": "é"}') } as CurlRequest];
  expect(curlScript({ requests: escaped })?.text).toMatchInlineSnapshot(`
    "printf '{\\012"a": "\\303\\251"}' |
    curl -sS -i --http1.1 -X POST 'http://127.0.0.1:4711/hooks' \\
      -H 'Accept:' \\
      -H 'Content-Type:' \\
      -H 'Expect:' \\
      -H 'User-Agent:' \\
      --data-binary @- \\
      -w '\\n'"
  `);
});

test('the probe is asked under the same trust as the target', () => {
  const requests = [
    { method: 'POST', url: 'https://127.0.0.1:4711/hooks', headers: [], body: Buffer.from('{}') },
  ] as const;
  const effects = { probe: 'https://127.0.0.1:4711/effects/{id}', ids: ['i-1'] };
  const lines = (insecure: boolean) => curlScript({ requests, effects, insecure })?.text.split('\n') ?? [];
  expect(lines(true).at(-1)).toBe("curl -sS -k 'https://127.0.0.1:4711/effects/i-1' -w '\\n'");
  expect(lines(false).at(-1)).toBe("curl -sS 'https://127.0.0.1:4711/effects/i-1' -w '\\n'");
});

const id = '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0';
const idHeader = 'X-SVC-Webhook-Signature';

/** A delivery of the id, signed. */
function signed(scheme: SignatureScheme, key: string, data: object = { id, note: "50% 'sure'" }): CurlRequest {
  const body = JSON.stringify({ data });
  const given = { secret: key, body: Buffer.from(body), id, timestamp: Math.floor(Date.now() / 1000) };
  return request(body, [['X-Id', id], ...signatureHeaders(scheme, idHeader, given)]);
}

describe.skipIf(noOpenssl)(
  'curl lines for an id that the receiver knows (skipped where curl or openssl is missing)',
  () => {
    const idsSent = () =>
      server.received.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string } }).data.id);

    const usual = [parseScheme('hmac-sha256-hex'), ...fixedSchemes].map(
      (scheme) => [scheme.name, scheme, 'a secret'] as const,
    );

    test.each([...usual, ...providedSchemes])('send a fresh one, signed: %s', async (_, scheme, secret) => {
      const both = [signed(scheme, secret), signed(scheme, secret)];
      const signing = { scheme, header: idHeader, secrets: [secret] };
      const effects = { probe: `${server.base}/effects/{id}`, ids: [id] };
      await paste('sh', { requests: both, signing, known: [id], effects }, secret);
      const [first, second, probed] = server.received;
      const [fresh] = JSON.stringify(first!.body.toString()).match(
        /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/,
      )!;
      expect(fresh).not.toBe(id);
      expect(second!.body).toEqual(first!.body);
      expect(probed?.path).toBe(`/effects/${fresh}`);
      const lookup = (header: string) => headerValue(first!.headers, header);
      expect(lookup('X-Id')).toBe(fresh);
      expect(verifySignature(scheme, idHeader, lookup, { secret, body: first!.body })).toBe(true);
    });

    test('send a fresh one that stands in headers alone, signed where the signature covers it', async () => {
      const [scheme, secret] = [parseScheme('standard-webhooks'), 'a secret'];
      const signing = { scheme, header: idHeader, secrets: [secret] };
      await paste('sh', { requests: [signed(scheme, secret, {})], signing, known: [id] }, secret);
      const [{ headers, body }] = server.received as [Received];
      const lookup = (header: string) => headerValue(headers, header);
      expect([lookup('X-Id'), lookup('webhook-id')]).not.toContain(id);
      expect(verifySignature(scheme, idHeader, lookup, { secret, body })).toBe(true);
    });

    test('send a fresh one without a signature where there was none', async () => {
      await paste('sh', { requests: [request(JSON.stringify({ data: { id } }))], known: [id] });
      expect(idsSent()).not.toContain(id);
    });

    test.each(['behind', 'before'])('sign the right line alone where a wrong one stands %s it', async (place) => {
      const [scheme, secret] = [parseScheme('hmac-sha256-hex'), 'a secret'];
      const right = signed(scheme, secret);
      const wrong = [idHeader, 'f'.repeat(64)] as const;
      const headers = place === 'behind' ? [...right.headers, wrong] : [wrong, ...right.headers];
      const signing = { scheme, header: idHeader, secrets: [secret] };
      await paste('sh', { requests: [{ ...right, headers }], signing, known: [id] }, secret);
      const [sent] = server.received as [Received];
      expect(sent.body.toString()).not.toContain(id);
      const values = sent.headers.flatMap(([name, value]) => (name === idHeader ? [value] : []));
      const genuine = values.map((value) =>
        verifySignature(scheme, idHeader, () => value, { secret, body: sent.body }),
      );
      expect(genuine).toEqual(place === 'behind' ? [true, false] : [false, true]);
      expect(values).toContain(wrong[1]);
    });

    test('keep it where a forgery was made of it, where another one is near to it, and where it is not known', async () => {
      const forged = signed(parseScheme('hmac-sha256-hex'), 'a forger');
      const signing = { scheme: parseScheme('hmac-sha256-hex'), header: idHeader, secrets: ['a secret'] };
      await paste('sh', { requests: [forged], signing, known: [id] });
      const other = id.replace(/.$/, '1');
      await paste('sh', { requests: [request(JSON.stringify({ data: { id } }))], known: [id, other] });
      await paste('sh', { requests: [request(JSON.stringify({ data: { id } }))] });
      expect(idsSent()).toEqual([id, id, id]);
    });
  },
);

test('curl lines name the certificate that is trusted', () => {
  const effects = { probe: 'https://localhost/{id}', ids: ['17'] };
  const lines = (trust: object) => curlScript({ requests: [request('{}')], effects, ...trust })?.text ?? '';
  expect(lines({ ca: "my ca's.pem" }).match(/--cacert 'my ca'\\''s\.pem'/g)).toHaveLength(2);
  expect(lines({ insecure: true }).match(/ -k /g)).toHaveLength(2);
  expect(lines({})).not.toMatch(/ -k | --cacert /);
});
