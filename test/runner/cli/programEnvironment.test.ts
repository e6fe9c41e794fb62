import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

const programEnvironment = new URL('../../../runner/cli/programEnvironment.ts', import.meta.url).href;

/** A program that never ends by itself, and says when it was asked to. */
const program = `
import { processEnvironment } from ${JSON.stringify(programEnvironment)};
processEnvironment().signal.addEventListener('abort', () => console.log('asked to end'));
setInterval(() => {}, 1000);
console.log('ready');
`;

describe('the signal of the program environment', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'asks for an end at the first %s, and ends at the second',
    async (signal) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
      const ended = once(child, 'close');
      const lines: string[] = [];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        lines.push(text.trim());
        child.kill(signal);
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      expect(await ended).toEqual([130, null]);
      expect(lines).toEqual(['ready', 'asked to end']);
      expect(stderr).toBe('\nInterrupted: finishing. Press Ctrl-C again to end at once.\n');
    },
  );
});
