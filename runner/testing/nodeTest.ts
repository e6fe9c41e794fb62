import { after, describe, it, type TestContext, type TestFn, type TestOptions } from 'node:test';

import { calledAt, type Caller, callerOf, pointed, TestRun } from './testRun.ts';
import { type ListedCheck, receiverTests, serviceTests, testName, type Tests } from './tests.ts';
import type { ReceiverTestOptions, ServiceTestOptions } from './testTarget.ts';

export type { App, FetchApp, FetchHandler, NodeHandler, RunnableApp, ServerApp } from './app.ts';
export { NonConformance } from './verdict.ts';
export type { ReceiverTestOptions, ServiceTestOptions, StartOptions, TestTarget } from './testTarget.ts';

/**
 * Lists every check of a receiver as a test of `node:test`, in a suite for each requirement. The receiver is started, or the
 * app served, once the first of them is needed; only the checks that are needed are run.
 *
 * @throws UsageError for options that cannot be
 *
 * @example
 * describeReceiver('the shop', { app, url: '/hooks', secret: 's3cret', probe: (id) => orders.count(id) });
 */
export function describeReceiver(name: string, options: ReceiverTestOptions): void {
  const caller = callerOf(describeReceiver);
  list(name, () => receiverTests(options, 'describeReceiver'), caller);
}

/**
 * Lists every check of a service as a test of `node:test`: see {@link describeReceiver}.
 *
 * @throws UsageError for options that cannot be
 *
 * @example
 * describeService('the tracker', { url: 'http://localhost:4010/v2', token: 'k3y', emit: (event) => queue.raise(event) });
 */
export function describeService(name: string, options: ServiceTestOptions): void {
  const caller = callerOf(describeService);
  list(name, () => serviceTests(options, 'describeService'), caller);
}

/** More than there are checks: all tests begin before the run does. */
const together = 10_000;

/** Bound, so that nothing stands between it and who calls: its place is taken from there. */
const listed: (name: string, options: TestOptions, test: TestFn) => unknown = it;

/** A suite does not learn which of its tests a pattern leaves: they report themselves, as each of them begins at once. */
function list(name: string, read: () => Tests, caller: Caller): void {
  const tests = pointed(read, caller);
  const needs = new Needs(new TestRun(tests, caller));
  void describe(name, { concurrency: together, timeout: Infinity }, () => {
    after(() => needs.end());
    for (const { title, checks } of tests.requirements)
      void describe(title, () => {
        for (const check of checks) {
          const expectFailure = check.known === undefined ? {} : { expectFailure: check.known.reason };
          const options = { timeout: Infinity, ...expectFailure };
          calledAt(
            caller,
            listed.bind(undefined, testName(check), options, (context) => judge(context, needs, check)),
          );
        }
      });
  });
}

async function judge(context: TestContext, needs: Needs, check: ListedCheck): Promise<void> {
  const { notes, error, skipped } = await needs.verdict(check);
  for (const { kind, text } of notes) context.diagnostic(`${kind}: ${text}`);
  if (skipped !== undefined) context.skip(skipped);
  if (error !== undefined) throw error;
}

/** The tests that have begun. */
class Needs {
  readonly #run: TestRun;
  readonly #ids: string[] = [];
  #begun: Promise<unknown> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(run: TestRun) {
    this.#run = run;
  }

  async verdict(check: ListedCheck) {
    this.#ids.push(check.id);
    this.#begun ??= this.#begin();
    await this.#begun;
    return this.#run.verdict(check);
  }

  /** @throws why nothing could be tested, once for all tests */
  async end(): Promise<void> {
    await this.#run.end();
    if (this.#failure !== undefined) await Promise.reject(this.#failure.error);
  }

  async #begin(): Promise<void> {
    await new Promise(setImmediate);
    await this.#run.begin(this.#ids).catch((error: unknown) => (this.#failure = { error }));
  }
}
