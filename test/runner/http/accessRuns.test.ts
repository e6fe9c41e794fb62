import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { startService } from '../../../reference/service/service.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { summarise } from '../../../reports/model/summary.ts';
import type { Lookup } from '../../../runner/http/access.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { runService } from '../../../runner/service/runService.ts';
import { servicePlan, type ServicePlanOptions } from '../../../runner/service/servicePlan.ts';
import { lyingResolver } from '../lyingResolver.ts';
import { runCli } from '../runCli.ts';

/** Of the documentation (RFC 5737): no test connects to it. */
const away = '192.0.2.1';
const secret = 'a secret of access';
const cleanUps: (() => Promise<unknown>)[] = [];
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-access-'));
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await rm(directory, { recursive: true });
});

/** This machine for the first lookups of a name, as often as is said of it, and somewhere else from then on. */
function turning(times: Readonly<Record<string, number>>): Lookup {
  const left = new Map(Object.entries(times));
  return (name) => {
    const more = left.get(name) ?? Infinity;
    left.set(name, more - 1);
    return Promise.resolve([{ address: more > 0 ? '127.0.0.1' : away }]);
  };
}

/** The same address by another name. */
function named(address: string, name: string): string {
  return address.replace('127.0.0.1', name);
}

function endOf(events: readonly RunEvent[]) {
  const summary = summarise(events);
  const { reason, advice } = events.find((event) => event.type === 'target.lost') ?? {};
  return { reason, advice, code: exitCode(summary), complete: summary.run.complete, errors: summary.errors };
}

function refused(name: string) {
  return {
    reason: `${name} leads to ${away}, which is neither a loopback nor a private address; no connection was made`,
    advice: expect.stringContaining('--allow-remote'),
    code: 3,
    complete: false,
    errors: [],
  };
}

describe('a run of a receiver ends with the reason where a name leads elsewhere:', () => {
  async function held(lookup: Lookup, how: (probe: string) => ReceiverPlanOptions = () => ({})) {
    const receiver = await startReceiver({ secrets: [secret] });
    cleanUps.push(() => receiver.close());
    const url = named(receiver.url, 'receiver.localhost');
    const options = { secret: [secret], intensity: 'quick', seed: 7, directory, ...how(receiver.probe) } as const;
    const plan = await receiverPlan(url, options);
    return endOf(await Array.fromAsync(runReceiver({ ...plan, lookup })));
  }

  test('the receiver, from the beginning', async () => {
    expect(await held(turning({ 'receiver.localhost': 0 }))).toEqual(refused('receiver.localhost'));
  });

  test('the receiver, after a while', async () => {
    expect(await held(turning({ 'receiver.localhost': 9 }))).toEqual(refused('receiver.localhost'));
  });

  test('the receiver, while it is started', async () => {
    const lookup = turning({ 'receiver.localhost': 0 });
    expect(await held(lookup, () => ({ start: 'sleep 60' }))).toEqual(refused('receiver.localhost'));
  });

  test('the probe', async () => {
    const how = (probe: string) => ({ probe: named(probe, 'probe.localhost') });
    expect(await held(turning({ 'probe.localhost': 1 }), how)).toEqual(refused('probe.localhost'));
  });
});

describe('a run of a service ends with the reason where a name leads elsewhere:', () => {
  async function held(lookup: Lookup, how: (emit: string) => ServicePlanOptions = () => ({})) {
    const service = await startService({ backoff: [15, 20, 25] });
    cleanUps.push(() => service.close());
    const url = named(service.url, 'service.localhost');
    const options = { token: service.token, intensity: 'quick', seed: 7, secondOpinion: false, directory } as const;
    const plan = await servicePlan(url, { ...options, ...how(service.emit) });
    return endOf(await Array.fromAsync(runService({ ...plan, lookup })));
  }

  test('the service', async () => {
    expect(await held(turning({ 'service.localhost': 0 }))).toEqual(refused('service.localhost'));
  });

  test('the service, while it is started', async () => {
    const lookup = turning({ 'service.localhost': 0 });
    expect(await held(lookup, () => ({ start: 'sleep 60' }))).toEqual(refused('service.localhost'));
  });

  test('--emit', async () => {
    const how = (emit: string) => ({ emit: named(emit, 'emit.localhost') });
    expect(await held(turning({ 'emit.localhost': 1 }), how)).toEqual(refused('emit.localhost'));
  });
});

describe('the program', () => {
  test('exits with 2 before it sends anything where a name of localhost leads elsewhere', async () => {
    const environment = await lyingResolver(directory, { 'hooks.localhost': [away] });
    const { code, stderr } = await runCli(['receiver', 'http://hooks.localhost:1/'], { cwd: directory, environment });
    expect(code).toBe(2);
    expect(stderr).toContain('hooks.localhost:1 is neither a loopback nor a private address');
  });

  test('connects to the address that it has decided about, where the name leads elsewhere the next time', async () => {
    const environment = await lyingResolver(directory, { 'rebound.example': ['127.0.0.1', away] });
    const words = ['receiver', 'http://rebound.example:1/', '--secret', 'x'];
    const { code, stdout } = await runCli(words, { cwd: directory, environment });
    expect(code).toBe(3);
    expect(stdout).toContain(`rebound.example leads to ${away}`);
    expect(stdout).toContain('--allow-remote');
  });
});
