import { mkdtemp, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { Announcement } from '../../../runner/process/programOutput.ts';
import { openProcess } from '../../../runner/process/openProcess.ts';
import { takesConnections } from '../../../runner/process/presence.ts';

it('a line is found however it comes', () => {
  const output = new PassThrough();
  const announced = new Announcement(/on (?<port>\d+)/g);
  announced.read(output);
  expect(announced.found).toBeUndefined();
  for (const part of ['listening o', 'n 4', '1233\n']) output.emit('data', Buffer.from(part));
  expect(announced.found).toEqual({ port: '41233' });
  expect(announced.found).toEqual({ port: '41233' });
});

it('a command is reached where it says, at each start, and is up once it has said so', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-announced-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const program = `const s = require('http').createServer().listen(0, 'localhost', () => console.log('on ' + s.address().port))`;
  const url = new URL('http://localhost:0/hooks');
  const spec = {
    kind: 'command',
    command: `"${process.execPath}" -e "${program}"`,
    env: {},
    wait: /on (?<port>\d+)/,
  } as const;
  const target = await openProcess(spec, { url, outputFile: join(directory, 'output') });
  onTestFinished(() => target.close());
  await target.start();
  const first = new URL(url);
  expect(Number(first.port)).toBeGreaterThan(0);
  await target.kill();
  expect(await takesConnections(first)).toBe(false);
  await target.start();
  expect(await takesConnections(url)).toBe(true);
});
