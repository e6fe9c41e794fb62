import { defineConfig } from 'vitest/config';

/** The tests of verdicts and exit codes by example; their laws (verdictLaws.test.ts) take too long for each mutant. */
export default defineConfig({
  test: {
    include: ['summary', 'required', 'expectations', 'unanswered', 'search', 'verdictCases'].map(
      (name) => `test/reports/model/${name}.test.ts`,
    ),
    isolate: false,
    testTimeout: 60_000,
  },
});
