import { defineConfig } from 'vitest/config';

import base from '../../vitest.config.ts';

/** The files of which tests judge the sample, one test at a time, so that it is known who comes by where. */
export default defineConfig({
  test: {
    ...base.test,
    include: [
      'test/proof/{faults,serviceFaults}*.test.ts',
      'test/proof/{receiverProcess,serviceProcess,sources,recovery,timestamps,secretless}.test.ts',
      'test/suites/**/*.test.ts',
      'test/runner/{engine,fuzz,listener,receiver,service}/*.test.ts',
    ],
    setupFiles: ['bench/mutation/reach.ts'],
    maxWorkers: 2,
    maxConcurrency: 1,
    reporters: ['dot'],
  },
});
