import { defineConfig } from 'vitest/config';

import LongestFirst from './test/longestFirst.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxConcurrency: 4,
    // Most of the time is spent waiting for what must not come, so that a third worker costs the two cores little.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/countReporter.ts'],
  },
});
