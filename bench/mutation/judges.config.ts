import { defineConfig } from 'vitest/config';

import base from '../../vitest.config.ts';

/** One worker, in which the tests of a file wait side by side. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.test.ts', 'bench/mutation/judges.test.ts'],
    // The programs are bundled once before, not for each mutant.
    globalSetup: ['./test/temporaryFolder.ts'],
    maxWorkers: 1,
    maxConcurrency: 10,
    bail: 1,
    reporters: [{}],
  },
});
