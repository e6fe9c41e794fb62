import { parseArgs } from 'node:util';

import { parseDuration } from '../../spec/units.ts';
import { pressFaults } from '../faults/press/index.ts';
import { startPress } from './press.ts';
import { messageOf } from '../../spec/messageOf.ts';

const usage =
  'Usage: node reference/press/main.ts [--port 4712] [--token <key>] [--backoff 25ms,50ms] [--timeout 5s] [--fault <name>]';

/** The print shop as a process: prints where it listens as one line of JSON, ends on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4712' },
      token: { type: 'string' },
      backoff: { type: 'string' },
      timeout: { type: 'string', default: '5s' },
      fault: { type: 'string' },
    },
  });
  const { token, backoff, fault } = values;
  const press = await startPress({
    port: Number(values.port),
    timeout: parseDuration(values.timeout),
    ...(token !== undefined && { key: token }),
    ...(backoff !== undefined && { pauses: backoff.split(',').map(parseDuration) }),
    ...(fault !== undefined && { policies: faulty(fault) }),
  });
  const { url, emit } = press;
  console.log(JSON.stringify({ url, emit, token: press.key }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void press.close());
}

function faulty(name: string) {
  const found = Object.hasOwn(pressFaults, name) ? pressFaults[name] : undefined;
  if (found !== undefined) return found.policies();
  throw new RangeError(`There is no fault "${name}"; there are ${Object.keys(pressFaults).join(', ')}. Choose one.`);
}

main().catch((error: unknown) => {
  console.error(`${messageOf(error)}\n${usage}`);
  process.exitCode = 2;
});
