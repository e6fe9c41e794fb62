import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { takesConnections } from '../../../runner/process/presence.ts';
import { NotStarted } from '../../../suites/processControl.ts';
import { commandSpec, leftovers, nodeTarget, type SpecOf, startedByAnotherKit, useProcesses } from './processes.ts';

/** A loaded machine may take long for anything. */
const withinTimeLimit = { timeout: 20_000 };

const open = useProcesses();

/** The ways in which people start servers, and what they leave between the kit and the process that listens. */
const commands = {
  'behind a shell that does more': `${nodeTarget}; echo over`,
  'in a pipeline': `${nodeTarget} | cat`,
  'behind two shells': `sh -c 'sh -c "$TARGET; true"; true'`,
  'in the background of a shell that waits': `${nodeTarget} & wait`,
  'in the background of a shell that has left': `${nodeTarget} &`,
  'in a session of its own': `setsid ${nodeTarget}; true`,
  'in a session of its own, its mark wiped out': `setsid env -u SEAWORTHY_LIFE ${nodeTarget}; true`,
  'in a session of its own, its starter gone': `setsid sh -c "$TARGET & exit" ; exit`,
};

test.each(Object.entries(commands))('a target %s is stopped, paused and killed whole', async (_, command) => {
  const env = { TARGET: nodeTarget };
  const { targetProcess, url, get, deaths } = await open(commandSpec(command), { env });
  await targetProcess.start();
  const pid = Number(await get('/pid'));
  await targetProcess.pause();
  expect(await stateOf(pid)).toMatch(/^[Tt]$/);
  await targetProcess.resume();
  expect(await get('/pid')).toBe(String(pid));
  expect(await targetProcess.stop()).toBe(true);
  expect(await stateOf(pid)).toMatch(/^Z?$/);
  await targetProcess.start();
  expect(JSON.parse(await get('/kept'))).toEqual({ memory: 0, file: 'bye\n' });
  const second = Number(await get('/pid'));
  await targetProcess.kill();
  expect(await stateOf(second)).toMatch(/^Z?$/);
  expect(await takesConnections(url)).toBe(false);
  expect(deaths).toEqual([]);
});

/** Waits within the kernel for a process that it has made and that does not get to run its program: for a reader of a pipe. */
const spawner = `
import os
with open('spawner', 'w') as file: file.write(str(os.getpid()))
os.mkfifo('pipe')
os.posix_spawn('/bin/true', ['true'], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, 'pipe', os.O_RDONLY, 0)])
`;

test.skipIf(spawnSync('python3', ['-c', '']).status !== 0)(
  'a target that is just making a process is paused',
  async () => {
    const command = `cd "$(dirname "$FILE")"; python3 -c "$SPAWNER" & ${nodeTarget}`;
    let folder = '';
    const spec: SpecOf = (port, where, env) => commandSpec(command)(port, (folder = where), env);
    const { targetProcess } = await open(spec, { env: { SPAWNER: spawner } });
    await targetProcess.start();
    const state = async (): Promise<string> => stateOf(Number(await readFile(join(folder, 'spawner'), 'utf8')));
    await expect.poll(() => state().catch(String), withinTimeLimit).toBe('D');
    await targetProcess.pause();
    expect(targetProcess.state).toBe('paused');
    await targetProcess.kill();
  },
);

test('the death of a daemon is reported', async () => {
  const { targetProcess, get, deaths } = await open(
    commandSpec(commands['in a session of its own, its starter gone']),
    {
      env: { TARGET: nodeTarget },
    },
  );
  await targetProcess.start();
  expect(targetProcess.state).toBe('running');
  await get('/die').catch(() => {});
  await expect.poll(() => deaths, withinTimeLimit).toHaveLength(1);
  expect(targetProcess.state).toBe('ended');
});

test('a daemon is killed too where the kit itself is killed', async () => {
  const env = { TARGET: nodeTarget };
  const opened = await open(commandSpec(commands['in a session of its own, its starter gone']), { env });
  const kill = await startedByAnotherKit(opened);
  expect(await leftovers(opened)).not.toBe('');
  await kill();
  await expect.poll(() => leftovers(opened), withinTimeLimit).toBe('');
  await expect.poll(() => takesConnections(opened.url), withinTimeLimit).toBe(false);
});

test('npm start gets its SIGTERM once', async () => {
  const script = `
    let count = 0;
    process.on('SIGTERM', () => { count += 1; setTimeout(() => { console.log('SIGTERM', count); process.exit(); }, 300); });
    require('http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1');
  `;
  const { targetProcess } = await open((port, folder) => {
    writeFileSync(join(folder, 'server.cjs'), script);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node server.cjs' } }));
    return { kind: 'command', command: `cd "${folder}" && npm start`, env: { PORT: String(port) } };
  });
  await targetProcess.start();
  expect(await targetProcess.stop()).toBe(true);
  expect(targetProcess.tail(3)).toContain('SIGTERM 1');
});

test('output without end is read, and a bounded part of it is kept', async () => {
  const { targetProcess, outputFile, get } = await open(
    commandSpec(`${nodeTarget} & yes 'over and over' | head -c 100000000; wait`),
  );
  await targetProcess.start();
  await expect
    .poll(() => targetProcess.tail(500).filter((line) => line === 'over and over').length, withinTimeLimit)
    .toBeGreaterThan(400);
  expect(Number(await get('/pid'))).toBeGreaterThan(0);
  await targetProcess.kill();
  const { size } = await stat(outputFile);
  expect(size).toBeLessThan(17 * 1024 * 1024);
  expect(targetProcess.tail(100_000).length).toBeLessThan(1_000);
});

test('throws NotStarted where it does not come up again', async () => {
  const { targetProcess, get } = await open(commandSpec(`test -e "$FILE" && exit 5; exec ${nodeTarget}`));
  await targetProcess.start();
  await get('/keep');
  await targetProcess.kill();
  const failure = await targetProcess.start().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NotStarted);
  expect((failure as Error).message).toMatch(/exit code 5/);
  expect(targetProcess.state).toBe('ended');
});

test('starts it again where it ends once for what the kill left behind', async () => {
  const { targetProcess, get } = await open(commandSpec(`test -e "$FILE" && rm "$FILE" && exit 5; exec ${nodeTarget}`));
  await targetProcess.start();
  await get('/keep');
  await targetProcess.kill();
  await targetProcess.start();
  expect(targetProcess.state).toBe('running');
});

test('starts it again where a wrapper goes on although the server has ended', async () => {
  const { targetProcess, url, get, deaths } = await open(commandSpec(`${nodeTarget}; sleep 300`));
  await targetProcess.start();
  await get('/die').catch(() => {});
  await expect.poll(() => takesConnections(url), withinTimeLimit).toBe(false);
  await targetProcess.start();
  expect(Number(await get('/pid'))).toBeGreaterThan(0);
  expect(deaths).toEqual([]);
});

test('says so where something else listens, which a kill does not reach', async () => {
  const { targetProcess, url } = await open(() => ({
    kind: 'command',
    command: 'echo asked; exec sleep 300',
    env: {},
  }));
  const starting = targetProcess.start();
  await expect.poll(() => targetProcess.tail(1), withinTimeLimit).toEqual(['asked']);
  const server = createServer().listen(Number(url.port), '127.0.0.1');
  try {
    await starting;
    await expect(targetProcess.kill()).rejects.toMatchObject({ code: 'SW_LIFE_FAILED', exitCode: 3 });
  } finally {
    server.close();
  }
});

test('where its output cannot be written, the last lines are kept all the same', async () => {
  const { targetProcess } = await open(commandSpec(), { outputFile: '/proc/no/such/folder/target.log' });
  await targetProcess.start();
  expect(targetProcess.tail(5)).toContain('to one');
  expect(targetProcess.outputFile).toBeUndefined();
});

/** The letter of its state as Linux shows it: T for one that stands still, Z for one that is over; nothing where it is gone. */
async function stateOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') ');
  return text.slice(text.lastIndexOf(')') + 2)[0] ?? '';
}
