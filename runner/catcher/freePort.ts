import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { Unproven } from '../../suites/check.ts';
import { failureCode } from '../http/connector.ts';
import { ownWant, patiently } from '../http/ownWant.ts';

/** Below the ports that systems give to outgoing connections, which would take it meanwhile. */
const ports = { least: 10_240, most: 32_767 };
const tries = 100;

/** Milliseconds for which a file is waited for that this process may not open yet. */
const patience = 2000;

/**
 * A port at which nothing listens, and probably nothing will.
 *
 * @param taken - ports that are not to be chosen
 * @throws Unproven where this process may open no more files
 * @throws Error where none was found
 */
export async function freePort(host: string, taken: ReadonlySet<number>): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    const port = randomInt(ports.least, ports.most + 1);
    if (!taken.has(port) && (await isFree(host, port))) return port;
  }
  throw new Error(`none of ${tries} ports between ${ports.least} and ${ports.most} was free on ${host}`);
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    const attempt = () => once(server.listen({ host, port, exclusive: true }), 'listening');
    await patiently(attempt, failureCode, { timeout: patience });
  } catch (error) {
    const want = ownWant(failureCode(error));
    if (want === undefined) return false;
    throw new Unproven(`the kit could not listen, and not because of the target: ${want} (${failureCode(error)})`);
  }
  server.close();
  await once(server, 'close');
  return true;
}
