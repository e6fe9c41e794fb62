import { parseArgs } from 'node:util';

import { parseDuration } from '../../spec/units.ts';
import type { ServicePolicies } from './policies.ts';
import { startService } from './service.ts';

const usage =
  'Usage: node reference/service/main.ts [--token <key>] [--port 4010] [--host 127.0.0.1] [--database <file>] ' +
  "[--backoff '1s,5s,30s'] [--timeout 10s] [--speed 1] [--fault <name>]";

/** The service as a process: prints where it listens as one line of JSON, ends cleanly on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      token: { type: 'string' },
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      database: { type: 'string' },
      backoff: { type: 'string' },
      timeout: { type: 'string' },
      speed: { type: 'string' },
      fault: { type: 'string' },
    },
  });
  const { port, host, token, database, fault, speed } = values;
  const { timeout, backoff = process.env['BACKOFF'] } = values;
  const service = await startService({
    port: Number(port),
    host,
    ...(token === undefined ? {} : { token }),
    ...(database === undefined ? {} : { database }),
    ...(backoff === undefined ? {} : { backoff: backoff.split(',').map(parseDuration) }),
    ...(timeout === undefined ? {} : { timeout: parseDuration(timeout) }),
    ...(speed === undefined ? {} : { speed: Number(speed) }),
    ...(fault === undefined ? {} : { policies: await faultyPolicies(fault) }),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void service.close());
  const { url, emit, trackable, untrackable } = service;
  console.log(JSON.stringify({ url, token: service.token, emit, trackable, untrackable }));
}

async function faultyPolicies(name: string): Promise<ServicePolicies> {
  const [{ serviceFaults }, { conformingPolicies }] = await Promise.all([
    import('../faults/service/index.ts'),
    import('./conformingPolicies.ts'),
  ]);
  const fault = serviceFaults[name];
  if (fault === undefined) {
    throw new RangeError(`No fault is named ${name}. Valid are: ${Object.keys(serviceFaults).join(', ')}.`);
  }
  return fault.change(conformingPolicies);
}

try {
  await main();
} catch (error) {
  console.error(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
