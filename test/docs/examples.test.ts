import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createSummary } from '../../reports/index.ts';
import { receiverPlan, runReceiver } from '../../runner/index.ts';
import { blocks, root, textOf } from './documents.ts';
import { freePort } from '../../runner/catcher/freePort.ts';

let receiver: ChildProcess;
let port: number;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-docs-'));
  port = await freePort('127.0.0.1', new Set());
  const env = { ...process.env, PORT: String(port), NODE_ENV: 'test' };
  receiver = spawn(process.execPath, [join(root, 'examples/express/right.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(receiver.stdout!, 'data');
});

afterAll(async () => {
  const ended = once(receiver, 'exit');
  receiver.kill();
  await ended;
  await rm(directory, { recursive: true });
});

test('the probe in "Test a receiver" is the one of the example', () => {
  const [probe] = blocks('docs/receiver.md', 'ts');
  expect(textOf('examples/express/right.ts')).toContain(probe);
});

test('the example keeps the contract', async () => {
  const origin = `http://localhost:${port}`;
  const options = {
    secret: ['only-for-trying'],
    probe: `${origin}/effects/{id}`,
    intensity: 'quick',
    directory,
  } as const;
  const summary = createSummary();
  for await (const event of runReceiver(await receiverPlan(`${origin}/hooks`, options))) summary.add(event);
  expect(summary.summary().verdict).toBe('conforms');
});

test('the snippet in "As a library" runs', async () => {
  const snippet = blocks('docs/library.md', 'ts')[0]!
    .replace('./runner/index.ts', pathToFileURL(join(root, 'runner/index.ts')).href)
    .replace('localhost:3000', `localhost:${port}`)
    .replace("intensity: 'quick'", "$&, only: ['receiver/signature/forged']");
  const file = join(directory, 'snippet.mts');
  await writeFile(file, snippet);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(output).toMatch(/^receiver\/signature\/forged passed$/m);
});

test('the hook and the probe in "Reading a report" are those of the example', () => {
  const document = 'docs/reading-a-report.md';
  expect(JSON.parse(blocks(document, 'json')[0]!)).toEqual(JSON.parse(textOf('examples/webhook/wrong.json')));
  expect(blocks(document, 'sh')).toContain(textOf('examples/webhook/count-effects.sh'));
});

test('the two transactions in "What a crash does to your receiver" are those of the example', () => {
  const [right, wrong] = blocks('docs/crashes.md', 'ts');
  expect(textOf('examples/postgres/accept.ts')).toContain(right);
  expect(textOf('examples/postgres/acceptInTwo.ts')).toContain(wrong);
});
