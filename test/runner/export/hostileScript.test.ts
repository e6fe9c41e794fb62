import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { curlExport } from '../../../runner/export/curlExport.ts';
import { caseOf, type SavedCase } from '../../../runner/engine/savedCase.ts';
import { parseScheme, signatureHeaders } from '../../../spec/signature.ts';
import { startRecordingServer, type RecordingServer } from '../../reports/recordingServer.ts';
import { everyMember } from '../everyMember.ts';
import { hostileText } from './hostileCases.ts';

const secrets = ['the secret'];
const id = '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0';
let server: RecordingServer;
let folder: string;

beforeAll(async () => {
  server = await startRecordingServer();
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-script-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

function saved(subject: 'receiver' | 'service', extra: readonly (readonly [string, string])[] = []): SavedCase {
  const body = Buffer.from(JSON.stringify({ data: { id, attributes: { note: 'a' } } }));
  const scheme = parseScheme('hmac-sha256-hex');
  const signature = signatureHeaders(scheme, 'X-SVC-Webhook-Signature', {
    secret: secrets[0]!,
    body,
    id,
    timestamp: 1,
  });
  const sha256 = createHash('sha256').update(body).digest('hex');
  return {
    seaworthy: 'case',
    format: 1,
    subject,
    kit: { name: 'seaworthy', version: '0.1.0' },
    check: 'receiver/fuzz/idm-2',
    title: 'A notification takes effect once.',
    requirements: ['IDM-2'],
    summary: 'two effects',
    expected: 'one effect',
    actual: 'two effects',
    sequence: [{ words: 'deliver a', step: { do: 'deliver' }, seed: 1, path: '' }],
    exchange: {
      attempts: [
        {
          request: {
            method: 'POST',
            url: `${server.base}/hooks`,
            headers: [
              ['Content-Type', 'application/json'],
              ...signature,
              ['X-Key', '$SEAWORTHY_HEADER_X_KEY'],
              ...extra,
            ],
            body: { bytes: body.length, sha256, text: body.toString() },
            wire: ['send the headers with a content length', 'send the body'],
          },
          answer: { kind: 'answered', status: 200, headers: [], body: '', ms: 1 },
        },
      ],
      effects: [{ id, expected: 1, actual: 2 }],
    },
    value: null,
    seed: 1,
    path: '0',
    intensity: 'quick',
    events: [],
    url: subject === 'receiver' ? `${server.base}/hooks` : server.base,
    options: { header: ['X-Key: $SEAWORTHY_HEADER_X_KEY'], probe: [`${server.base}/effects/{id}`], timeout: ['2s'] },
    env: [],
  };
}

/** The script of a case; nothing where the file is none, or no script can be written of it. */
async function scriptOf(value: unknown): Promise<string | undefined> {
  const written = await Promise.resolve()
    .then(() => curlExport(caseOf(value, 'it'), folder, secrets))
    .catch(() => undefined);
  return typeof written === 'string' ? written : undefined;
}

function sh(words: readonly string[]): Promise<{ code: number | string | null | undefined; text: string }> {
  const env = {
    PATH: process.env['PATH'],
    SEAWORTHY_URL: `${server.base}/hooks`,
    SEAWORTHY_PROBE: `${server.base}/effects/{id}`,
    SEAWORTHY_HEADER_X_KEY: 'key',
    SEAWORTHY_TOKEN: 'key',
    SEAWORTHY_SECRET: secrets[0],
    SEAWORTHY_SETTLE: '0',
  };
  return new Promise((resolve) => {
    const child = execFile('sh', words, { cwd: folder, env, timeout: 20_000 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, text: stdout + stderr }),
    );
  });
}

/** Runs it against a server that is there, and finds nothing beside it afterwards. */
async function requireHarmless(script: string): Promise<void> {
  await writeFile(join(folder, 'script.sh'), script);
  expect(await sh(['-n', 'script.sh'])).toEqual({ code: 0, text: '' });
  await sh(['script.sh']);
  expect(await readdir(folder)).toEqual(['script.sh']);
}

const breaking = `'"\`touch canary\`$(touch canary)\n touch canary\r;touch canary #`;

test.each(['receiver', 'service'] as const)(
  'a shell script of a case of a %s runs nothing that the file holds, in whichever member',
  async (subject) => {
    let written = 0;
    for (const { value } of everyMember(saved(subject), breaking)) {
      const script = await scriptOf(value);
      if (script === undefined) continue;
      written += 1;
      // Where nothing of the text is in it, it is the script of the case as it was.
      if (script.includes('canary')) await requireHarmless(script);
    }
    expect(written).toBeGreaterThan(20);
  },
);

test('a header whose name a shell would run stands for itself', async () => {
  for (const name of ['`touch canary`', '`>canary`', "'", '!', '$PATH', 'X-`id`'])
    for (const value of [id, 'x', '$SEAWORTHY_HEADER_X_KEY']) {
      const script = await scriptOf(saved('receiver', [[name, value]]));
      if (script !== undefined) await requireHarmless(script);
    }
  server.forget();
  const script = await scriptOf(saved('receiver', [['X-`id`!$PATH', id]]));
  await requireHarmless(script!);
  expect(server.received[0]?.headers.map(([name]) => name)).toContain('X-`id`!$PATH');
});

test('what curl would take for an option, or for another protocol, becomes no script', async () => {
  const [attempt] = saved('service').exchange!.attempts;
  for (const url of ['-o canary', '-K/etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1:1/\n-o canary']) {
    const attempts = [{ ...attempt, request: { ...attempt!.request, url } }];
    for (const subject of ['receiver', 'service'] as const)
      expect(await scriptOf({ ...saved(subject), exchange: { attempts } })).toBeUndefined();
  }
});

test('whatever a case holds, its script parses and runs nothing of it', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(hostileText, fc.nat(), fc.constantFrom('receiver', 'service'), async (text, place, subject) => {
      const places = everyMember(saved(subject as 'receiver' | 'service'), text);
      const script = await scriptOf(places[place % places.length]!.value);
      if (script !== undefined) await requireHarmless(script);
    }),
    { numRuns: 30 },
  );
});
