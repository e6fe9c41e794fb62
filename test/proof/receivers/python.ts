import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { StartReceiver } from './start.ts';

const script = fileURLToPath(new URL('python.py', import.meta.url));

/** A process of another platform: Python's standard library, threads, sqlite3; answers 201. */
export const start: StartReceiver = async ({ secrets }) => {
  const child = spawn('python3', [script], {
    env: { ...process.env, RECEIVER_SECRETS: JSON.stringify(secrets) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [origin] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`python3 ended with ${code} before it listened`))),
  ])) as [string];
  return {
    url: `${origin}/notifications`,
    probe: `${origin}/effects/{id}`,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
