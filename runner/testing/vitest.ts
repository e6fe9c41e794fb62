import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest';

import { calledAt, callerOf, pointed, type Caller } from './caller.ts';
import { type ListedCheck, testName } from './listing.ts';
import type { ReceiverTestOptions, ServiceTestOptions } from './testOptions.ts';
import { TestRun } from './testRun.ts';
import { receiverTests, serviceTests, type Tests } from './tests.ts';

export type { App, FetchApp, NodeHandler, RunnableApp, ServerApp } from './app.ts';
export type { FetchHandler } from './fetchListener.ts';
export { NonConformance } from './nonConformance.ts';
export type { ReceiverTestOptions, ServiceTestOptions, StartOptions, TestTarget } from './testOptions.ts';
export { toConform, type ConformOptions } from './toConform.ts';

/**
 * Lists every check of a receiver as a test of its own, in a group for each requirement. The receiver is started, or the app
 * served, once the first of them is needed; only the checks that are needed are run.
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
 * Lists every check of a service as a test of its own: see {@link describeReceiver}.
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

/** A run takes as long as it takes: its own option `time` bounds it. */
const noLimit = 0;

function list(name: string, read: () => Tests, caller: Caller): void {
  const tests = pointed(read, caller);
  const run = new TestRun(tests, caller);
  const ids = new Map(
    tests.requirements.flatMap(({ checks }) => checks.map((check) => [testName(check), check.id] as const)),
  );
  describe(name, () => {
    beforeAll(({}, suite) => run.begin(neededIn(suite, ids)), noLimit);
    afterAll(() => run.end(), noLimit);
    for (const { title, checks } of tests.requirements)
      describe(title, () => {
        for (const check of checks) {
          const options = { timeout: noLimit, retry: 0, repeats: 0, fails: check.known !== undefined };
          calledAt(caller, () => test(testName(check), options, (context) => judge(context, run, check)));
        }
      });
  });
}

/** A group of tests, or a test. */
interface Task {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly Task[];
}

/** The checks whose tests are to run: `-t`, `.only` and an editor may have left some out. */
function neededIn(task: Task, ids: ReadonlyMap<string, string>): readonly string[] {
  if (task.tasks !== undefined) return task.tasks.flatMap((each) => neededIn(each, ids));
  const id = ids.get(task.name);
  return id !== undefined && (task.mode === 'run' || task.mode === 'queued') ? [id] : [];
}

async function judge({ annotate, skip }: TestContext, run: TestRun, check: ListedCheck): Promise<void> {
  const { notes, error, skipped } = await run.verdict(check);
  for (const { kind, text, file } of notes)
    await (file === undefined
      ? annotate(text, kind)
      : annotate(text, kind, { path: file, contentType: 'application/json' }));
  if (skipped !== undefined) skip(skipped);
  if (error !== undefined) throw error;
}
