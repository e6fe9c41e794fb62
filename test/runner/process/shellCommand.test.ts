import { tmpdir } from 'node:os';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test, afterAll, beforeAll } from 'vitest';

import { runCommand, userEnvironment } from '../../../runner/process/shellCommand.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';

const timeout = 20_000;

test('returns the exit code and both outputs', async () => {
  expect(await runCommand('echo out; echo err >&2; exit 3', { timeout })).toEqual({
    code: 3,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    timedOut: false,
    truncated: false,
  });
});

test('passes input, environment and working directory', async () => {
  const options = { timeout, input: 'a\nb\n', env: { COLOUR: 'blue' }, cwd: tmpdir() };
  const { stdout } = await runCommand('cat; echo "$COLOUR"; pwd; echo "${PATH:+path}"', options);
  expect(stdout).toBe(`a\nb\nblue\n${tmpdir()}\npath\n`);
});

test('a command that reads no input does not fail because of it', async () => {
  const { code, stdout } = await runCommand('echo done', { timeout, input: 'x'.repeat(4 * 1024 * 1024) });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
});

test('input and output may be larger than any pipe', async () => {
  const input = 'x'.repeat(4 * 1024 * 1024);
  const { stdout } = await runCommand('cat', { timeout, input, outputLimit: 8 * 1024 * 1024 });
  expect(stdout === input).toBe(true);
});

test('keeps a bounded part of the output, and reads all of it', async () => {
  const result = await runCommand('yes | head -c 3000000', { timeout, outputLimit: 1000 });
  expect(result.stdout).toHaveLength(1000);
  expect(result).toMatchObject({ code: 0, truncated: true });
});

test('kills the command and all that it started at the time-out', async () => {
  const result = await runCommand('sleep 300 & echo $!; wait', { timeout: 100 });
  expect(result).toMatchObject({ code: null, signal: 'SIGKILL', timedOut: true });
  const child = Number(result.stdout);
  expect(child).toBeGreaterThan(0);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('an abort kills it too, also one that came before', async () => {
  const controller = new AbortController();
  const running = runCommand('sleep 300', { timeout, signal: controller.signal });
  controller.abort();
  expect(await running).toMatchObject({ signal: 'SIGKILL', timedOut: false });
  expect(await runCommand('sleep 300', { timeout, signal: controller.signal })).toMatchObject({ signal: 'SIGKILL' });
});

test('does not wait for what it leaves running, nor kill it', async () => {
  const { code, stdout } = await runCommand('sleep 300 & echo $!', { timeout });
  const child = Number(stdout);
  expect(code).toBe(0);
  expect(await isRunning(child)).toBe(true);
  process.kill(child, 'SIGKILL');
});

test('rejects where no shell can be started', async () => {
  await expect(runCommand('true', { timeout, cwd: '/no/such/folder' })).rejects.toThrow('ENOENT');
});

/** A process that has ended but was not yet reaped counts as ended. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await runCommand(`ps -o stat= -p ${pid}`, { timeout });
  return /^[^Z]/.test(stdout.trim());
}

const run = promisify(execFile);

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const kit = `${root}/node_modules/.bin`;
const gyp = '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin';

/** A path without anything of the clone: tests are started by npm, which adds it. */
const bare = (process.env['PATH'] ?? '')
  .split(':')
  .filter((entry) => !/\/node_modules\/\.bin$|\/node-gyp-bin$/.test(entry))
  .join(':');

let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'seaworthy-environment-'))));
afterAll(() => rm(folder, { recursive: true }));

/** What the user of a shell has, some of which npm replaces. */
const shell = {
  HOME: process.env['HOME'] ?? '/',
  EDITOR: 'nano',
  NODE: 'mine',
  COLOR: 'mine',
  npm_config_fund: 'mine',
  KEPT: 'mine',
};

/** Writes the environment of a command that is run once, and of a target. */
const writer = (port: number): string => `
  import { openProcess } from ${JSON.stringify(`${root}/runner/process/openProcess.ts`)};
  import { runCommand } from ${JSON.stringify(`${root}/runner/process/shellCommand.ts`)};

  process.chdir(process.argv[2]);
  await runCommand('env -0 > command', { timeout: 20_000 });
  const target = await openProcess(
    { kind: 'command', command: 'env -0 > target', env: { ADDED: 'by --env' } },
    { url: new URL('http://127.0.0.1:${port}/'), outputFile: 'log' },
  );
  await target.start().catch(() => {});
  await target.close();
`;

async function written(file: string): Promise<Record<string, string>> {
  const entries = (await readFile(join(folder, file), 'utf8')).split('\0').filter(Boolean);
  const environment = Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
  // What every shell sets for itself.
  for (const name of ['_', 'PWD', 'OLDPWD', 'SHLVL', 'SEAWORTHY_LIFE']) delete environment[name];
  return environment;
}

test('npm leaves nothing in the environment of what the user starts from the clone', async () => {
  await writeFile(join(folder, 'writer.mjs'), writer(await freePort('127.0.0.1', new Set())));
  // Also a user may put the Node of the kit there.
  const user = { ...shell, PATH: `${kit}:/my/own:${bare}` };
  const line = `BETWEEN=mine PATH="/between:$PATH" node "${join(folder, 'writer.mjs')}" "${folder}"`;
  await run('npm', ['exec', '-c', line], { cwd: root, env: user });
  const expected = { ...user, BETWEEN: 'mine', PATH: `/between:${user.PATH}` };
  expect(await written('command')).toEqual(expected);
  expect(await written('target')).toEqual({ ...expected, ADDED: 'by --env' });
});

/** The path of a target whose kit has this one, started by npm or something like it. */
const pathOf = (path: string): string | undefined => userEnvironment({ PATH: path, npm_lifecycle_event: 'x' })['PATH'];

test.each([
  ['npm', `${kit}:${kit}:/home/node_modules/.bin:/node_modules/.bin:${gyp}:/mine:/bin`, '/mine:/bin'],
  ['npm, called by npm', `${kit}:/node_modules/.bin:${gyp}:${kit}:/node_modules/.bin:${gyp}:/bin`, '/bin'],
  [
    "npm, called by a user's own",
    `${kit}:${gyp}:/my/node_modules/.bin:${gyp}:/bin`,
    `/my/node_modules/.bin:${gyp}:/bin`,
  ],
  ['pnpm', `${kit}:/lib/pnpm/dist/node-gyp-bin:/my/node_modules/.bin:/bin`, '/my/node_modules/.bin:/bin'],
  ['Bun', `${kit}:/my/node_modules/.bin:/bin`, '/my/node_modules/.bin:/bin'],
  ['a command line that adds to it', `/added:${kit}:/node_modules/.bin:${gyp}:/bin`, '/added:/bin'],
])('the path is what it was before %s', (_, path, expected) => {
  expect(pathOf(path)).toBe(expected);
});

test('a Node that npx installed for the kit is not for the target; a kit alone that it installed changes nothing', async () => {
  const bin = join(folder, '_npx', '0a1b', 'node_modules', '.bin');
  const path = `${bin}:/my/node_modules/.bin:/node_modules/.bin:${gyp}:/bin`;
  await mkdir(bin, { recursive: true });
  expect(pathOf(path)).toBe(path);
  await symlink(process.execPath, join(bin, 'node'));
  expect(pathOf(path)).toBe('/bin');
});

test('a clone that is reached by a link is the same clone', async () => {
  await symlink(root, join(folder, 'link'));
  expect(pathOf(`${folder}/link/node_modules/.bin:/node_modules/.bin:${gyp}:/bin`)).toBe('/bin');
});

test("what npm adds for a script of the user's own project stays, and so does what he put on the path himself", () => {
  const own = { PATH: `/my/node_modules/.bin:/node_modules/.bin:${gyp}:/bin`, npm_lifecycle_event: 'test', NODE: 'x' };
  expect(userEnvironment(own)).toBe(own);
  const direct = { PATH: `${kit}:/bin`, NODE: 'x' };
  expect(userEnvironment(direct)).toBe(direct);
});
