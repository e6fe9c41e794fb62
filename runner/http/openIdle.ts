import type { Socket } from 'node:net';

/** Connections that are opened at the same time, so that small listen queues do not overflow. */
const batch = 16;

/** Opens so many connections that stay idle; fewer where the target takes fewer. */
export async function openIdle(count: number, open: () => Promise<Socket>): Promise<readonly Socket[]> {
  const opened: Socket[] = [];
  for (let begun = 0; begun < count; begun += batch) {
    const settled = await Promise.allSettled(Array.from({ length: Math.min(batch, count - begun) }, open));
    const some = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    opened.push(...some);
    if (some.length === 0) break;
  }
  return opened;
}
