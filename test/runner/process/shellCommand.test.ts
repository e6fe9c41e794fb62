import { tmpdir } from 'node:os';

import { expect, test } from 'vitest';

import { runCommand } from '../../../runner/process/shellCommand.ts';

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
