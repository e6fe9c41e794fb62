import { writeSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Of the message and the difference of a failure that did not come again: a property says late what it was. */
const mostLines = 30;

/**
 * Says `12 passed, 0 failed` (and `, 1 skipped` where there are any) as the very last line, whatever else the process
 * still prints. A test file that could not be loaded and an unhandled error count as one failure each. A test that passed
 * only when it was tried again counts as passed, and is named above that line.
 */
export default class CountReporter implements Reporter {
  #line = '0 passed, 1 failed';
  #unsteady: readonly TestCase[] = [];

  onInit(): void {
    process.once('exit', () => writeSync(1, [...reported(this.#unsteady), this.#line, ''].join('\n')));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = modules.map(countsOf);
    this.#unsteady = modules
      .flatMap(({ children }) => [...children.allTests()])
      .filter((test) => test.diagnostic()?.flaky);
    const passed = counts.reduce((sum, count) => sum + count.passed, 0);
    const failed = counts.reduce((sum, count) => sum + count.failed, errors.length);
    const skipped = counts.reduce((sum, count) => sum + count.skipped, 0);
    this.#line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}

function countsOf(module: TestModule): { passed: number; failed: number; skipped: number } {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const count = (state: string): number => states.filter((each) => each === state).length;
  const failed = count('failed');
  return {
    passed: count('passed'),
    failed: failed === 0 && !module.ok() ? 1 : failed,
    skipped: count('skipped') + count('pending'),
  };
}

function reported(unsteady: readonly TestCase[]): readonly string[] {
  if (unsteady.length === 0) return [];
  const lines = unsteady.map((test) => {
    const [error] = test.result().errors ?? [];
    const said = [error?.message ?? 'no error was kept', stripVTControlCharacters(error?.diff ?? '')]
      .join('\n')
      .trimEnd();
    const message = said.split('\n').slice(0, mostLines).join('\n      ');
    return `  ${test.module.relativeModuleId} > ${test.fullName}: ${message}`;
  });
  return ['Passed only when tried again:', ...lines];
}
