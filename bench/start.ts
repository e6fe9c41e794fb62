import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How often each is started; the least counts, for what else a machine does only adds to it. */
const starts = 15;

const program = fileURLToPath(new URL('../dist/runner/cli/seaworthy.cjs', import.meta.url));
const commands = [['--help'], ['receiver', '--help'], ['--version'], ['requirements']];

/** What the package costs to start, as a multiple of the CPU that Node itself takes. What `npm run bench:start` builds. */
function main(): void {
  const node = cpuOf(['-e', '0']);
  process.stdout.write(`node -e 0: ${node.toFixed(0)} ms of CPU\n`);
  for (const words of commands) {
    const own = cpuOf([program, ...words]);
    process.stdout.write(
      `seaworthy ${words.join(' ')}: ${own.toFixed(0)} ms of CPU, ${(own / node).toFixed(2)} times\n`,
    );
  }
}

/** Milliseconds of CPU, as bash counts them. */
function cpuOf(words: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null 2>&1';
  const times = Array.from({ length: starts }, () => {
    const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...words], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
    return stderr
      .trim()
      .split(' ')
      .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
  });
  return Math.min(...times);
}

main();
