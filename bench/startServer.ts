import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A running server of another process. */
export interface BenchServer {
  readonly url: URL;
  close(): Promise<void>;
}

/** Starts `bench/server.ts` in a process of its own, so that it has a core of its own where there are two. */
export async function startServer(): Promise<BenchServer> {
  const child: ChildProcess = fork(new URL('./server.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: new URL(`http://127.0.0.1:${port}/hooks`),
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
