import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { ServiceUnderTest, StartService } from './start.ts';

const program = fileURLToPath(new URL('python', import.meta.url));

/** A process of another platform, see `python/__main__.py`. It ends when its standard input does. */
export const start: StartService = async (options = {}) => {
  const child = spawn('/usr/bin/env', ['python3', '-B', program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`python3 ended with ${code} before it listened`))),
  ])) as [string];
  return {
    ...(JSON.parse(line) as Omit<ServiceUnderTest, 'close'>),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
