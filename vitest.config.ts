import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxConcurrency: 4,
    // Most of the time is spent waiting for what must not come, so that a third worker costs the two cores little.
    maxWorkers: 3,
    reporters: ['default', './test/countReporter.ts'],
  },
});
