import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type CallScriptInput, type ScriptCall, callFiles, callScript } from '../../../reports/curl/callScript.ts';
import { type RecordingServer, own, startRecordingServer } from '../recordingServer.ts';

const run = promisify(execFile);
const noCurl = spawnSync('curl', ['--version']).error !== undefined;
const shells = ['dash', 'bash'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);
const key = `it's a "key" $HOME \`id\` \\ !`;

let server: RecordingServer;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-calls-'));
  server = await startRecordingServer();
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

beforeEach(() => server.forget());

function call(parts: Partial<ScriptCall> = {}): ScriptCall {
  const headers = [['Authorization', 'Token $SEAWORTHY_TOKEN']] as const;
  return { method: 'GET', url: `${server.base}/v2/webhooks`, headers, body: Buffer.alloc(0), ...parts };
}

async function paste(shell: string, input: Omit<CallScriptInput, 'variables'>, token = key): Promise<string> {
  const whole = { variables: ['SEAWORTHY_TOKEN'], ...input };
  const script = callScript(whole);
  if (script === undefined) throw new Error('there is no script');
  expect(script).toMatch(/^[\x20-\x7e\n]*$/);
  await Promise.all(callFiles(whole).map(({ path, content }) => writeFile(path, content)));
  const { stdout } = await run(shell, ['-c', script], { env: { ...process.env, SEAWORTHY_TOKEN: token } });
  return stdout;
}

describe.skipIf(noCurl).each(shells)('calls pasted into %s (skipped where curl is missing)', (shell) => {
  test('go out with the key that the shell knows, and with no header of their own', async () => {
    const body = Buffer.from(`{"it's":"$SEAWORTHY_TOKEN 50% \\\\ !!"}`);
    const headers = [
      ['Authorization', 'Token $SEAWORTHY_TOKEN'],
      ['Content-Type', 'application/json'],
    ] as const;
    const url = `${server.base}/v2/webhooks?page%5Bsize%5D=[2]`;
    const output = await paste(shell, { calls: [call({ method: 'POST', url, headers, body })] });
    expect(output).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*seen\n$/);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: 'POST', path: '/v2/webhooks?page%5Bsize%5D=[2]', body });
    expect(server.received.flatMap(own)).toEqual([
      ['Authorization', `Token ${key}`],
      ['Content-Type', 'application/json'],
    ]);
  });

  test('keep every other dollar, quote and byte of a header as it is', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '$SEAWORTHY_TOKEN',
        '$HOME',
        '$(id)',
        '`id`',
        '"',
        "'",
        '\\',
        '!',
        '${HOME}',
        'a',
        '_1',
        '%s',
        '$',
      ),
      fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)),
    );
    const values = fc.array(fc.array(piece, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(values, async (all) => {
        server.forget();
        const sent = all.map((pieces, at) => ({ header: ['X-One', `${at}${pieces.join('')}`] as const }));
        await paste(shell, { calls: sent.map(({ header }) => call({ headers: [header] })) }, 'k-1');
        expect(server.received.map((each) => own(each))).toEqual(
          sent.map(({ header: [name, value] }) => [[name, value.replaceAll('$SEAWORTHY_TOKEN', 'k-1')]]),
        );
      }),
      { numRuns: 25 },
    );
  });

  test('go out in order with their methods; equal ones in a row are a loop', async () => {
    const created = call({ method: 'POST', body: Buffer.from('{}') });
    const calls = [created, created, created, call(), call({ method: 'DELETE' }), call({ method: 'PATCH' })];
    expect(callScript({ calls, variables: ['SEAWORTHY_TOKEN'] })).toContain('for n in 1 2 3; do\n');
    await paste(shell, { calls });
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'DELETE', 'PATCH']);
  });

  test('send any bytes, large ones from files beside them', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const large = [Buffer.alloc(9000, 'a'), Buffer.alloc(9000, 'b')];
    const calls = [all, ...large].map((body) => call({ method: 'POST', body }));
    const bodyFile = join(directory, "it's here.json");
    expect(callFiles({ calls, bodyFile }).map(({ path }) => path)).toEqual([
      bodyFile,
      join(directory, "it's here-2.json"),
    ]);
    await paste(shell, { calls, bodyFile });
    expect(server.received.map(({ body }) => body)).toEqual([all, ...large]);
  });

  test('say which variable is missing before anything is sent', async () => {
    const script = callScript({ calls: [call()], variables: ['SEAWORTHY_TOKEN'] }) ?? '';
    const env = { PATH: process.env['PATH'] };
    await expect(run(shell, ['-c', script], { env })).rejects.toThrow('set it to the key of the service');
    expect(server.received).toEqual([]);
  });
});

test('the lines of two calls', () => {
  const url = 'http://127.0.0.1:8080/v2/webhooks';
  const json = ['Content-Type', 'application/json'] as const;
  const calls = [
    {
      method: 'POST',
      url,
      headers: [['Authorization', 'Token $SEAWORTHY_TOKEN'], json],
      body: Buffer.from('{"data":1}'),
    },
    { method: 'GET', url, headers: [['Authorization', 'Token $SEAWORTHY_TOKENx']], body: Buffer.alloc(0) },
  ] as const;
  const variables = ['SEAWORTHY_TOKEN'];
  expect(callScript({ calls, variables, timeout: 10_000, insecure: true })).toMatchInlineSnapshot(`
    ": "\${SEAWORTHY_TOKEN:?set it to the key of the service}"
    curl -sS -i --http1.1 -k -m 10 -X POST 'http://127.0.0.1:8080/v2/webhooks' \\
      -H "Authorization: Token $SEAWORTHY_TOKEN" \\
      -H 'Content-Type: application/json' \\
      -H 'Accept:' \\
      -H 'Expect:' \\
      -H 'User-Agent:' \\
      --data-raw '{"data":1}' \\
      -w '\\n'
    curl -sS -i --http1.1 -k -m 10 -X GET 'http://127.0.0.1:8080/v2/webhooks' \\
      -H "Authorization: Token \${SEAWORTHY_TOKEN}x" \\
      -H 'Accept:' \\
      -H 'Content-Type:' \\
      -H 'Expect:' \\
      -H 'User-Agent:' \\
      -w '\\n'"
  `);
});

describe('what asks for no key, or cannot be shown', () => {
  test('a call without a variable requires none', () => {
    const plain = call({ headers: [['Authorization', 'Token wrong']] });
    expect(callScript({ calls: [plain], variables: ['SEAWORTHY_TOKEN'] })).not.toContain('SEAWORTHY_TOKEN');
  });

  test('a longer name wins over a shorter one that it begins with', () => {
    const named = call({ headers: [['X-A', '$KEY_2 $KEY']] });
    expect(callScript({ calls: [named], variables: ['KEY', 'KEY_2'] })).toContain(`-H "X-A: $KEY_2 $KEY"`);
  });

  test.each<[string, readonly ScriptCall[]]>([
    ['no call', []],
    ['a line break in a header', [{ ...blank(), headers: [['X-A', 'a\r\nX-B: b']] }]],
    ['a character past latin1 in a header', [{ ...blank(), headers: [['X-A', '€']] }]],
  ])('%s has no lines', (_, calls) => {
    expect(callScript({ calls, variables: [] })).toBeUndefined();
  });
});

function blank(): ScriptCall {
  return { method: 'GET', url: 'http://localhost/', headers: [], body: Buffer.alloc(0) };
}
