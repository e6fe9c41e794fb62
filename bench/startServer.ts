import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What `bench/server.ts` does with a request before it answers 202. */
export type Serving = 'forgets' | 'reads' | 'catches';

/** A running server of another process. */
export interface BenchServer {
  readonly url: URL;
  close(): Promise<void>;
}

/** Starts `bench/server.ts` in a process of its own, so that it has a core of its own where there are two. */
export async function startServer(serving: Serving): Promise<BenchServer> {
  const child: ChildProcess = fork(new URL('./server.ts', import.meta.url), [serving]);
  const [url] = (await once(child, 'message')) as [string];
  return {
    url: new URL(url),
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
