import { fork } from 'node:child_process';
import { once } from 'node:events';

import { type Group, inTurns } from './group.ts';
import { startServer } from './startServer.ts';

const few = 10_000;

/** What a run holds at most, by how much it delivers. @param many - deliveries of the longer run */
export function memory(many: number): Group {
  const [longer, shorter] = [`${many.toLocaleString('en')} deliveries`, `${few.toLocaleString('en')} deliveries`];
  return {
    name: 'memory',
    how: `The most memory (RSS) of a process that runs the engine for ${longer}, ten a case, beside one of ${shorter}.${
      many < 1_000_000 ? ' The full table takes a million: --deliveries 1000000.' : ''
    }`,
    unit: 'MB',
    moreIsBetter: false,
    rounds: 1,
    open: async () => {
      const server = await startServer('forgets');
      const { url } = server;
      return {
        round: inTurns({ [longer]: () => peakOf(url, many), [shorter]: () => peakOf(url, few) }),
        pairs: [[longer, shorter]],
        close: () => server.close(),
      };
    },
  };
}

async function peakOf(url: URL, deliveries: number): Promise<number> {
  const child = fork(new URL('./memoryRun.ts', import.meta.url), [url.href, String(deliveries)]);
  const [peak] = (await once(child, 'message')) as [number];
  await once(child, 'exit');
  return peak;
}
