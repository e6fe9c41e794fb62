import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openFileSink } from '../../../runner/output/writtenFile.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-sink-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('leaves what is there alone until the report is whole', async () => {
  const path = join(folder, 'report.json');
  await writeFile(path, 'old');
  const sink = openFileSink(path, '--report json');
  sink.write('ne');
  sink.write('w');
  expect(await readFile(path, 'utf8')).toBe('old');
  sink.commit();
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await readdir(folder)).toEqual(['report.json']);
});

test('makes folders at once, and no file before the end', async () => {
  const sink = openFileSink(join(folder, 'a/b/report.json'), '--report json');
  expect(await readdir(join(folder, 'a/b'))).toEqual([]);
  sink.write('new');
  sink.commit();
  expect(await readFile(join(folder, 'a/b/report.json'), 'utf8')).toBe('new');
});

test('follows a link', async () => {
  const [target, path] = [join(folder, 'target.json'), join(folder, 'link.json')];
  await writeFile(target, 'old');
  await symlink(target, path);
  const sink = openFileSink(path, '--report json');
  sink.write('new');
  sink.commit();
  expect(await readlink(path)).toBe(target);
  expect(await readFile(target, 'utf8')).toBe('new');
});

test('writes into a pipe rather than putting a file in its place', async () => {
  const path = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const heard = readFile(path, 'utf8');
  const sink = openFileSink(path, '--report json');
  sink.write('new');
  sink.commit();
  expect(await heard).toBe('new');
});

test('says before the run that a path cannot be written', async () => {
  await mkdir(join(folder, 'report.json'));
  const open = (path: string) => () => openFileSink(path, '--report json');
  expect(open(join(folder, 'report.json'))).toThrow('it is a directory');
  expect(open('/proc/seaworthy.json')).toThrow('--report json: the file /proc/seaworthy.json cannot be written');
});

test('says at the end where no room is left', () => {
  const sink = openFileSink('/dev/full', '--report json');
  sink.write('new');
  expect(() => sink.commit()).toThrow('ENOSPC');
});
