import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import LongestFirst from './test/longestFirst.ts';
import { workers } from './test/workers.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/temporaryFolder.ts', './test/bundlePrograms.ts'],
    // Far longer than any test takes, for a busy machine is no failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // On a busy machine what is awaited may come late. What passes only when tried again is named at the end, and is to be fixed.
    retry: process.env['SEAWORTHY_CI'] === '1' ? 2 : 0,
    expect: { poll: { timeout: 20_000 } },
    maxConcurrency: 4,
    maxWorkers: workers(),
    // Much is made anew for each delivery and soon let go: room for it spares a sixth of the time, which its collection took.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=64'],
    // No module holds state, and compiling them anew for each file takes longer than most of the files.
    isolate: false,
    // Node reads the sources as they are. What Vite makes of an import is a property that is looked up at each use, which takes a
    // tenth of the time.
    experimental: { viteModuleRunner: false },
    // Hundreds of processes are started from the same sources: each takes what the first one has compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/countReporter.ts'],
  },
});
