import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { processLabel } from './guard.ts';

/** How often containers are looked for: one may be in the making, whose maker was killed. */
const looks = { count: 4, apart: 500 };

/**
 * The guard over containers, a process of its own: where its input ends without the word `done`, it removes every container
 * that carries the mark which is its argument.
 */
async function main(mark: string): Promise<void> {
  for await (const line of createInterface(process.stdin)) if (line === 'done') return;
  // Loaded only now: hardly a guard ever has anything to do.
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { dockerode } = (await getContainerRuntimeClient()).container;
  for (let look = 0; look < looks.count; look += 1) {
    const found = await dockerode.listContainers({ all: true, filters: { label: [`${processLabel}=${mark}`] } });
    await Promise.allSettled(found.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
    await delay(looks.apart);
  }
}

const [mark] = process.argv.slice(2);
if (mark !== undefined) await main(mark);
