import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { takesConnections } from '../../../runner/process/presence.ts';
import { runCommand } from '../../../runner/process/shellCommand.ts';
import { isProof } from '../../proof/testReceiver.ts';
import { commandSpec, leftovers, type Opened, type SpecOf, startedByAnotherKit, useProcesses } from './processes.ts';
import { containersSkipped, containersSkippedWhy, type TestImage, testImage } from './testImage.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

let image: TestImage | undefined;

beforeAll(async () => {
  if (containersSkipped) return;
  const lay = (folder: string): Promise<void> => cp(here('target.ts'), join(folder, 'target.ts'));
  image = await testImage('lives', ['/usr/bin/node', '/target.ts'], lay);
});

afterAll(() => image?.remove());

const containerSpec: SpecOf = (_port, _folder, env) => ({
  kind: 'container',
  image: image?.name ?? '',
  port: 3000,
  env: { HOST: '0.0.0.0', ...env },
});

/** A loaded machine may take long for anything. */
const withinTimeLimit = { timeout: 20_000 };

const open = useProcesses();

describe('the process of a command', () => {
  everyProcess(commandSpec());
  failedStarts(commandSpec());
});

describe.skipIf(containersSkipped)(`the process of a container${containersSkippedWhy}`, () => {
  everyProcess(containerSpec);
  if (isProof) failedStarts(containerSpec);

  test('can call what listens on the machine of the kit', async () => {
    const server = createServer((_, response) => response.end('from the kit')).listen(0);
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { targetProcess, get } = await open(containerSpec, {
        env: { CALL: `http://host.docker.internal:${port}/` },
      });
      await targetProcess.start();
      expect(await get('/call')).toBe('from the kit');
    } finally {
      server.close();
    }
  });

  test('takes connections from this machine only', async () => {
    const { targetProcess, url } = await open(containerSpec);
    await targetProcess.start();
    const { stdout } = await runCommand(`docker ps --filter publish=${url.port} --format '{{.Ports}}'`, {
      timeout: 20_000,
    });
    expect(stdout).toBe(`127.0.0.1:${url.port}->3000/tcp\n`);
  });
});

test('says what is missing: a container engine, or the image', async () => {
  // Nothing listens at port 1, so that nothing can be pulled from there.
  const opening = open(() => ({ kind: 'container', image: '127.0.0.1:1/none:1', port: 80, env: {} }));
  await expect(opening).rejects.toMatchObject({
    code: containersSkipped ? 'SW_ENGINE_MISSING' : 'SW_IMAGE_MISSING',
    exitCode: 2,
  });
});

/** What holds for every kind of target. */
function everyProcess(specOf: SpecOf): void {
  test('starts, waits until it takes connections, and passes the environment on', async () => {
    const { targetProcess, get } = await open(specOf, { env: { GREETING: 'ahoy = "you"' } });
    expect(targetProcess.state).toBe('ended');
    await targetProcess.start();
    expect(targetProcess.state).toBe('running');
    expect(await get('/env')).toBe('ahoy = "you"');
    const pid = await get('/pid');
    await targetProcess.start();
    expect(await get('/pid')).toBe(pid);
  });

  test('loses what is in memory by a kill, keeps what is in a file, and takes no connections until it is started', async () => {
    const { targetProcess, url, deaths, get } = await open(specOf);
    await targetProcess.start();
    await get('/keep');
    await targetProcess.kill();
    expect(targetProcess.state).toBe('ended');
    expect(await takesConnections(url)).toBe(false);
    await targetProcess.kill();
    await targetProcess.start();
    expect(JSON.parse(await get('/kept'))).toEqual({ memory: 0, file: 'kept\n' });
    expect(deaths).toEqual([]);
  });

  test('starts it once with other variables, which are forgotten then, and does not report how that one ended', async () => {
    const { targetProcess, deaths, get } = await open(specOf, { env: { GREETING: 'ahoy' } });
    await targetProcess.start();
    await targetProcess.kill();
    expect(await targetProcess.startWith({ GREETING: undefined, CALL: 'x' })).toBe(true);
    expect(await get('/env')).toBe('');
    await expect(get('/die')).rejects.toThrow('fetch failed');
    await targetProcess.kill();
    expect(await targetProcess.startWith({ EARLY: '4' })).toBe(false);
    expect(targetProcess.state).toBe('ended');
    await targetProcess.start();
    expect(await get('/env')).toBe('ahoy');
    expect(deaths).toEqual([]);
  });

  test('lets it say goodbye when it is stopped, also while it is paused', async () => {
    const { targetProcess, deaths, get } = await open(specOf);
    await targetProcess.start();
    expect(await targetProcess.stop()).toBe(true);
    expect(targetProcess.state).toBe('ended');
    expect(await targetProcess.stop()).toBe(true);
    await targetProcess.start();
    await targetProcess.pause();
    expect(await targetProcess.stop()).toBe(true);
    await targetProcess.start();
    expect(JSON.parse(await get('/kept'))).toEqual({ memory: 0, file: 'bye\nbye\n' });
    expect(deaths).toEqual([]);
  });

  test('kills what does not stop in time', async () => {
    const { targetProcess, url } = await open(specOf, { env: { STUBBORN: 'yes' }, stopTime: 300 });
    await targetProcess.start();
    expect(await targetProcess.stop()).toBe(false);
    expect(await takesConnections(url)).toBe(false);
  });

  test('answers nothing while it is paused, and what it was asked once it goes on', async () => {
    const { targetProcess, url, get } = await open(specOf);
    await targetProcess.start();
    await targetProcess.pause();
    expect(targetProcess.state).toBe('paused');
    expect(await takesConnections(url)).toBe(true);
    const asked = get('/env');
    const unanswered = get('/pid', { signal: AbortSignal.timeout(300) });
    await expect(unanswered).rejects.toThrow('timeout');
    await targetProcess.resume();
    expect(await asked).toBe('');
    await targetProcess.pause();
    await targetProcess.start();
    expect(targetProcess.state).toBe('running');
    await targetProcess.pause();
    await targetProcess.kill();
    expect(targetProcess.state).toBe('ended');
    await targetProcess.resume();
    await targetProcess.pause();
    expect(targetProcess.state).toBe('ended');
  });

  test('reports that it ended although nobody asked for it', async () => {
    const { targetProcess, deaths, get } = await open(specOf);
    await targetProcess.start();
    await get('/die').catch(() => {});
    await expect.poll(() => deaths, withinTimeLimit).toEqual([{ code: 3, signal: null }]);
    expect(targetProcess.state).toBe('ended');
    await targetProcess.start();
    expect(targetProcess.state).toBe('running');
  });

  test('keeps what it says, in memory and in a file', async () => {
    const { targetProcess, outputFile, get } = await open(specOf);
    expect(targetProcess.outputFile).toBeUndefined();
    // It says that it listens once it does, and has said it when it answers.
    const live = () => targetProcess.start().then(() => get('/pid'));
    await live();
    await targetProcess.kill();
    expect(targetProcess.tail(10).toSorted()).toEqual(['listening', 'to one', 'to the other']);
    expect(targetProcess.tail(1)).toHaveLength(1);
    expect(targetProcess.outputFile).toBe(outputFile);
    expect((await readFile(outputFile, 'utf8')).split('\n').toSorted()).toEqual([
      '',
      ...targetProcess.tail(10).toSorted(),
    ]);
    await live();
    await targetProcess.kill();
    expect(targetProcess.tail(10)).toHaveLength(6);
    expect(targetProcess.tail(10, 'last-start').toSorted()).toEqual(['listening', 'to one', 'to the other']);
  });

  test('leaves nothing when it is closed, in any state and twice', async () => {
    const unused = await open(specOf);
    await unused.targetProcess.close();
    const paused = await open(specOf);
    await paused.targetProcess.start();
    await paused.targetProcess.pause();
    await Promise.all([paused.targetProcess.close(), paused.targetProcess.close()]);
    expect(paused.targetProcess.state).toBe('ended');
    const starting = await open(specOf, { env: { MUTE: 'yes' } });
    const outcome = starting.targetProcess.start().catch((error: unknown) => error);
    await starting.targetProcess.close();
    expect(await outcome).toMatchObject({ message: 'the target was closed for good' });
    for (const opened of [unused, paused, starting]) await leavesNothing(opened);
    await expect(paused.targetProcess.start()).rejects.toThrow('closed for good');
  });

  test('leaves nothing where the kit itself is killed', async () => {
    const opened = await open(specOf);
    const kill = await startedByAnotherKit(opened);
    expect(await takesConnections(opened.url)).toBe(true);
    expect(await leftovers(opened)).not.toBe('');
    await kill();
    await expect.poll(() => takesConnections(opened.url), withinTimeLimit).toBe(false);
    await expect.poll(() => leftovers(opened), withinTimeLimit).toBe('');
  });
}

/** What is said of starts that fail: of a container `npm run proof` tries it, for it is the same for every kind of target. */
function failedStarts(specOf: SpecOf): void {
  test('says how a first start failed, and what it said last', async () => {
    const { targetProcess } = await open(specOf, { env: { EARLY: '7' } });
    await expect(targetProcess.start()).rejects.toMatchObject({
      code: 'SW_START_FAILED',
      message: expect.stringMatching(/exit code 7 after \d+ ms, before it took connections; it said last:\n.*to /),
    });
    expect(targetProcess.state).toBe('ended');
  });

  test('gives up where it never listens', async () => {
    const { targetProcess } = await open(specOf, { env: { MUTE: 'yes' }, startTime: 600 });
    await expect(targetProcess.start()).rejects.toMatchObject({
      code: 'SW_START_FAILED',
      message: expect.stringMatching(/took no connections within [\d.]+ s/),
    });
    expect(targetProcess.state).toBe('ended');
  });

  test('stops waiting where the run is interrupted', async () => {
    const interrupted = new AbortController();
    const { targetProcess } = await open(specOf, { env: { MUTE: 'yes' }, signal: interrupted.signal });
    const starting = targetProcess.start();
    await expect.poll(() => targetProcess.tail(9).length, withinTimeLimit).toBeGreaterThan(0);
    interrupted.abort(new Error('interrupted'));
    await expect(starting).rejects.toThrow('interrupted');
  });

  test('refuses to start where something else listens already', async () => {
    const { targetProcess, url, spec } = await open(specOf);
    await targetProcess.start();
    const second = await open(() => spec, { url });
    await expect(second.targetProcess.start()).rejects.toMatchObject({ code: 'SW_PORT_TAKEN', exitCode: 2 });
  });
}

async function leavesNothing(opened: Opened): Promise<void> {
  expect(await takesConnections(opened.url)).toBe(false);
  expect(await leftovers(opened)).toBe('');
}
