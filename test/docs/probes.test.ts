import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { freePort } from '../../runner/catcher/freePort.ts';
import { blocks, textOf } from './documents.ts';

const document = 'docs/probes.md';
/** In CI a missing program is a failure. */
const redisSkipped = spawnSync('redis-server', ['--version']).error && process.env['SEAWORTHY_CI'] === undefined;

let folder: string;

/** A folder that holds every script of the document. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-probes-'));
  for (const [, name = '', content = ''] of textOf(document).matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)) {
    await writeFile(join(folder, name), content);
    await chmod(join(folder, name), 0o755);
  }
});

afterAll(() => rm(folder, { recursive: true }));

function counted(script: string, env: Readonly<Record<string, string>> = {}): string {
  const options = {
    cwd: folder,
    env: { ...process.env, ...env },
    input: 'once\nnever\ntwice\n',
    encoding: 'utf8',
  } as const;
  const { stdout, stderr } = spawnSync(join(folder, script), options);
  return stdout + stderr;
}

test('the lines of a file are counted', async () => {
  await writeFile(join(folder, 'effects.log'), 'twice\nonce\ntwice\n');
  expect(counted('count-lines.sh')).toBe('once 1\nnever 0\ntwice 2\n');
});

test('the function asks SQLite', async () => {
  const path = join(folder, 'orders.db');
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE milestones (notification TEXT); INSERT INTO milestones VALUES ('twice'), ('twice')");
  database.close();
  const snippet = blocks(document, 'ts')[1]!.replace("'orders.db'", JSON.stringify(path));
  await writeFile(join(folder, 'probe.mts'), snippet);
  const { probe } = (await import(pathToFileURL(join(folder, 'probe.mts')).href)) as { probe: (id: string) => number };
  expect([probe('twice'), probe('never')]).toEqual([2, 0]);
});

test('the endpoint is the one of the example', () => {
  expect(textOf('examples/express/right.ts')).toContain(blocks(document, 'ts')[0]);
});

test.skipIf(redisSkipped)(
  'Redis is asked (skipped where redis-server is not installed)',
  async ({ onTestFinished }) => {
    const port = String(await freePort('127.0.0.1', new Set()));
    const server = spawn('redis-server', ['--port', port, '--save', '', '--bind', '127.0.0.1'], { cwd: folder });
    onTestFinished(async () => {
      server.kill();
      await once(server, 'close');
    });
    let log = '';
    for await (const text of server.stdout) if ((log += String(text)).includes('Ready to accept')) break;
    spawnSync('redis-cli', ['-p', port], { input: 'HINCRBY effects once 1\nHINCRBY effects twice 2\n' });
    expect(counted('count-hash.sh', { REDIS_PORT: port })).toBe('once 1\nnever 0\ntwice 2\n');
  },
);
