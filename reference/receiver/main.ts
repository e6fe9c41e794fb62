import { parseArgs } from 'node:util';

import { parseDuration } from '../../spec/units.ts';
import type { ReceiverPolicies } from './policies.ts';
import { startReceiver } from './receiver.ts';

const usage =
  'Usage: node reference/receiver/main.ts --secret <s> [--secret <s>] | --secret-env <variable> [--port 4711] [--host 127.0.0.1] ' +
  '[--database <file>] [--fault <name>] [--api <url> --api-key <key>] [--allow <address,...> | --published-from-api] ' +
  '[--refresh 24h] [--tolerance 5m]';

/** The receiver as a process: prints where it listens as one line of JSON, ends cleanly on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      secret: { type: 'string', multiple: true },
      'secret-env': { type: 'string' },
      port: { type: 'string', default: '4711' },
      host: { type: 'string', default: '127.0.0.1' },
      database: { type: 'string' },
      fault: { type: 'string' },
      api: { type: 'string' },
      'api-key': { type: 'string', default: '' },
      allow: { type: 'string' },
      'published-from-api': { type: 'boolean', default: false },
      refresh: { type: 'string', default: '24h' },
      tolerance: { type: 'string' },
    },
  });
  const { secret: given = [], port, host, database, fault, api, allow, refresh, tolerance } = values;
  const variable = values['secret-env'];
  const receiver = await startReceiver({
    secrets: variable === undefined ? given : environmentSecrets(variable),
    port: Number(port),
    host,
    refresh: parseDuration(refresh),
    publishedFromApi: values['published-from-api'],
    ...(api === undefined ? {} : { api: { url: api, key: values['api-key'] } }),
    ...(allow === undefined ? {} : { allow: allow.split(',') }),
    ...(database === undefined ? {} : { database }),
    ...(tolerance === undefined ? {} : { tolerance: parseDuration(tolerance) }),
    ...(fault === undefined ? {} : { policies: await faultyPolicies(fault) }),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void receiver.close());
  console.log(JSON.stringify({ url: receiver.url, probe: receiver.probe }));
}

/** The secret that a variable of the environment holds; none where it is not set. */
function environmentSecrets(variable: string): readonly string[] {
  const { [variable]: secret } = process.env;
  return secret === undefined ? [] : [secret];
}

async function faultyPolicies(name: string): Promise<ReceiverPolicies> {
  const [{ receiverFaults }, { conformingPolicies }] = await Promise.all([
    import('../faults/receiver/index.ts'),
    import('./conformingPolicies.ts'),
  ]);
  const fault = receiverFaults[name];
  if (fault === undefined) {
    throw new RangeError(`No fault is named ${name}. Valid are: ${Object.keys(receiverFaults).join(', ')}.`);
  }
  return fault.change(conformingPolicies);
}

try {
  await main();
} catch (error) {
  console.error(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
