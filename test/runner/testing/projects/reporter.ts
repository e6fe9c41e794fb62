import type { Reporter, TestCase, TestSuite } from 'vitest/node';

/** Prints what became of each test and group, as a line of JSON. */
export default class LineReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    const { note } = test.result() as { readonly note?: string };
    const { timeout, retry, fails, tags } = test.options as {
      timeout?: number;
      retry?: unknown;
      fails?: boolean;
      tags?: unknown;
    };
    const annotations = test.annotations().map(({ type, message, attachment }) => ({ type, message, attachment }));
    this.#print({
      test: test.fullName,
      state,
      note,
      errors,
      annotations,
      timeout,
      retry,
      fails,
      tags,
      line: test.location?.line,
    });
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#print({ group: suite.fullName, state: suite.state(), errors: suite.errors() });
  }

  #print(line: object): void {
    process.stdout.write(`@@${JSON.stringify(line)}\n`);
  }
}
