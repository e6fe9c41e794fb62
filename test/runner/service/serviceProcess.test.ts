import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { runService } from '../../../runner/service/runService.ts';
import { servicePlan, type ServicePlanOptions } from '../../../runner/service/servicePlan.ts';
import type { ServiceCheck } from '../../../suites/check.ts';
import type { ServiceKit } from '../../../suites/serviceKit.ts';
import { HandService } from './handService.ts';
import { check, finding, hold, inTime } from './testOwnService.ts';

const program = fileURLToPath(new URL('mortalService.ts', import.meta.url));
const token = 'the-key-of-the-hand-written-service';
let directory: string;
let port: number;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-service-process-'));
  port = await freePort('127.0.0.1', new Set());
});

afterEach(() => rm(directory, { recursive: true }));

function held(checks: readonly ServiceCheck[], options: ServicePlanOptions = {}) {
  const target = { url: `http://127.0.0.1:${port}/v2`, token, emit: `http://127.0.0.1:${port}/emit` };
  const start = `exec '${process.execPath}' '${program}' ${port}`;
  return hold(target, checks, { start, directory, retryWindow: 3000, ...options });
}

/** Whether anything still takes connections where the service was. */
function isListening(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function registers(kit: ServiceKit): Promise<undefined> {
  await kit.register();
}

const dies = async (kit: ServiceKit): Promise<undefined> =>
  void (await kit.attempt('delete', { parameters: { id: 'die of this' } }));

describe('a service that the kit starts', () => {
  it('runs for the run, and its output is kept', async () => {
    const { summary, events } = await held([check('plain', registers, { needs: [], schedule: { kind: 'beside' } })]);
    expect(summary.checks).toMatchObject([{ outcome: 'passed' }]);
    const said = events.find((event) => event.type === 'target.said');
    expect(said?.tail).toEqual(['a service that remembers nothing']);
    expect(await readFile(said!.file!, 'utf8')).toBe('a service that remembers nothing\n');
    expect(await isListening()).toBe(false);
  });

  it('ends the run where it does not start', async () => {
    const { summary } = await held([check('plain', registers)], { start: 'echo out of order; exit 4' });
    expect(summary.lost?.reason).toContain('exit code 4');
    expect(exitCode(summary)).toBe(3);
  });

  it('is ended where nobody reads the events any more', async () => {
    const plan = await servicePlan(`http://127.0.0.1:${port}/v2`, {
      start: `exec '${process.execPath}' '${program}' ${port}`,
      checks: [check('plain', registers, { needs: [] })],
      token,
      directory,
      secondOpinion: false,
    });
    for await (const { type } of runService(plan)) if (type === 'control.finished') break;
    expect(await isListening()).toBe(false);
  });
});

describe('a service that dies of a call', () => {
  it('is started again, and the case is convicted where it was alone', async () => {
    const deadly = check('deadly', dies, { needs: [], schedule: { kind: 'alone' }, requirements: ['ROB-2'] });
    const after = check('after', registers, { needs: [], schedule: { kind: 'alone' } });
    const ran = await held([deadly, after]);
    expect(ran.check('deadly')).toMatchObject({ outcome: 'warned', counterexample: { requirements: ['ROB-2'] } });
    expect(ran.check('after')).toMatchObject({ outcome: 'passed' });
    expect(ran.summary).toMatchObject({ run: { complete: true }, errors: [] });
    expect(ran.summary.deaths[0]).toMatchObject({ detail: 'exit code 3' });
  });

  it('is tried alone with what was under way when it died, where others were at work too', async () => {
    const deadly = check('deadly', dies, { needs: [], schedule: { kind: 'beside' }, requirements: ['ROB-2'] });
    const others = [1, 2, 3].map((n) => check(`other-${n}`, registers, { needs: [], schedule: { kind: 'beside' } }));
    const ran = await held([...others, deadly]);
    const { counterexample } = ran.check('deadly');
    expect(counterexample).toMatchObject({ requirements: ['ROB-2'], died: true });
    expect(counterexample?.actual).toBe('it died with exit code 3, after it wrote: this is too much for me');
    for (const n of [1, 2, 3]) expect(ran.check(`other-${n}`)).toMatchObject({ outcome: 'passed' });
  });
});

describe('a check with process control', () => {
  const kills = check(
    'kills',
    async (kit) => {
      const webhook = await kit.register();
      await kit.raise(kit.scenarioEvents[0]);
      await kit.soon(() => webhook.endpoint.caught[0]?.end, kit.window);
      await kit.processControl.kill();
      await kit.processControl.start();
      const { items } = await kit.list('list');
      if (items.length > 0) return undefined;
      return { ...finding(kit, 'the webhook is gone'), exchanges: webhook.endpoint.caught };
    },
    { needs: ['process-control', 'event'] },
  );

  it('kills and starts it, and its counterexample shows what happened when', async () => {
    const ran = await inTime(() => held([kills]));
    const { counterexample } = ran.check();
    expect(counterexample?.actual).toBe('the webhook is gone');
    const moments = counterexample?.timeline?.map(({ what, detail }) => detail?.replace(/\d+ ms$/, '… ms') ?? what);
    // The first attempt may come before the service has answered what causes it.
    const before = ['attempt 1', '200', expect.stringMatching(/ has happened$/)];
    expect(moments?.slice(0, 3)).toEqual(expect.arrayContaining(before));
    expect(moments?.slice(3)).toEqual(['killed', 'after … ms']);
    const changes = ran.events.flatMap((event) =>
      event.type === 'life.changed' ? [`${event.check} ${event.change}`] : [],
    );
    expect(changes.slice(0, 3)).toEqual(['control started', 'service/own/kills killed', 'service/own/kills started']);
  });

  it('is not observable where the service runs by itself', async () => {
    const service = await HandService.start();
    const ran = await hold(service, [kills]).finally(() => service.close());
    expect(ran.check()).toMatchObject({ outcome: 'not-observable', reason: expect.stringContaining('--start') });
  });
});
