import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest';

import type { App } from './app.ts';
import { calledAt, type Caller, callerOf, pointed, TestRun } from './testRun.ts';
import { type ListedCheck, receiverTests, serviceTests, testName, type Tests } from './tests.ts';
import type { ReceiverTestOptions, ServiceTestOptions } from './testTarget.ts';
import type { Verdict } from './verdict.ts';

export type { App, FetchApp, FetchHandler, NodeHandler, RunnableApp, ServerApp } from './app.ts';
export { NonConformance } from './verdict.ts';
export type { ReceiverTestOptions, ServiceTestOptions, StartOptions, TestTarget } from './testTarget.ts';

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
    beforeAll(function begin() {
      // The suite is the only argument before Vitest 4.1, and the second one since. Parameters would be taken for fixtures.
      return run.begin(neededIn(Array.from<Task>(arguments).at(-1)!, ids));
    }, noLimit);
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

/** What `toConform` takes: all but where the receiver is, which is what the expectation is about. */
export type ConformOptions = Omit<ReceiverTestOptions, 'app' | 'start' | 'image' | 'port' | 'env' | 'secretEnv'>;

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Whether a receiver keeps its contract: a URL, or an app whose path is the option `url`. */
    toConform(options?: ConformOptions): Promise<void>;
  }
}

/**
 * A matcher for those who want one assertion: whether a receiver keeps its contract.
 *
 * @example
 * expect.extend({ toConform });
 * await expect('http://localhost:3000/hooks').toConform({ secret: 's3cret', probe: (id) => orders.count(id) });
 * await expect(app).toConform({ url: '/hooks', secret: 's3cret' });
 */
export async function toConform(
  receiver: string | App,
  options: ConformOptions = {},
): Promise<{ readonly pass: boolean; readonly message: () => string }> {
  const target = typeof receiver === 'string' ? { url: receiver } : { app: receiver };
  const tests = receiverTests({ ...options, ...target }, 'toConform');
  const ends = await endsOf(tests, new TestRun(tests, callerOf(toConform)));
  const failures = ends.flatMap(failureOf);
  if (failures.length === 0 && ends.every(({ verdict }) => verdict.skipped !== undefined))
    throw new Error(`Nothing could be observed: ${ends[0]?.verdict.skipped}`);
  const many = failures.length === 1 ? 'A check fails' : `${failures.length} checks fail`;
  return {
    pass: failures.length === 0,
    message: () =>
      failures.length === 0
        ? 'The receiver keeps its contract as far as it was observed.'
        : `The receiver does not keep its contract. ${many}:\n\n${failures.join('\n\n')}`,
  };
}

/** How a check ended. */
interface End {
  readonly check: ListedCheck;
  readonly verdict: Verdict;
}

/** @throws why the receiver could not be tested */
async function endsOf({ requirements }: Tests, run: TestRun): Promise<readonly End[]> {
  const checks = requirements.flatMap((requirement) => requirement.checks);
  try {
    await run.begin(checks.map(({ id }) => id));
    return await Promise.all(checks.map(async (check) => ({ check, verdict: await run.verdict(check) })));
  } finally {
    await run.end();
  }
}

/** Why it does not end as it should, in words. */
function failureOf({ check, verdict: { error, skipped } }: End): readonly string[] {
  const { id, title, requirements, known } = check;
  if (error !== undefined && known === undefined)
    return [`${requirements[0]} ${id}: ${title}\n${error.message.replaceAll(/^(?=.)/gm, '  ')}`];
  if (error !== undefined || known === undefined || skipped !== undefined) return [];
  return [`${id} does not fail any more: take the entry out of expectFailures`];
}
