import { getCallSites } from 'node:util';
import { compileFunction } from 'node:vm';

import type { CheckFinished, RunEvent } from '../../reports/model/events.ts';
import { unexplainedDeaths } from '../../reports/model/exitCode.ts';
import { unmetExpectations } from '../../reports/model/expectations.ts';
import { unobservedRequired } from '../../reports/model/requirementOutcome.ts';
import type { ExpectationOutcome, RunSummary } from '../../reports/model/runSummary.ts';
import { streamSink } from '../../reports/sink.ts';
import { openOutputs, type OutputOptions } from '../output/outputs.ts';
import { reportRun } from '../output/reporting.ts';
import type { ListedCheck, OpenRun, Tests } from './tests.ts';
import { inOptions, type Verdict, verdictOf } from './verdict.ts';

/** The checks that are run. */
type Selected = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** The one run of which each test awaits the check of its own. */
export class TestRun {
  readonly #tests: Tests;
  readonly #caller: Caller;
  readonly #stopping = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  readonly #checks = new Map<string, PromiseWithResolvers<CheckFinished | undefined>>();
  #open = 0;
  /** Whether nothing could be tested, which {@link begin} has said. */
  #failed = true;
  #summary: Promise<RunSummary> | undefined;
  #run: OpenRun | undefined;

  /** @param caller - what errors point to */
  constructor(tests: Tests, caller: Caller) {
    this.#tests = tests;
    this.#caller = caller;
    this.#begun.promise.catch(() => {});
  }

  /**
   * Begins the run, the first time that it is called.
   *
   * @param ids - the checks that are needed
   * @returns once the target has accepted what it has to accept
   * @throws why it cannot be tested
   */
  begin(ids: readonly string[]): Promise<void> {
    if (this.#summary !== undefined || ids.length === 0) return this.#begun.promise;
    for (const id of ids) this.#checks.set(id, Promise.withResolvers());
    this.#open = ids.length;
    this.#summary = this.#conduct(ids);
    void this.#summary.then(
      (summary) => this.#settle(new Error(troublesOf(summary, this.#checks, this.#tests).join('\n'))),
      (error: unknown) => this.#settle(error),
    );
    return this.#begun.promise;
  }

  /** What a test is to do, once its check has ended. */
  async verdict(check: ListedCheck): Promise<Verdict> {
    const finished = await this.#checks.get(check.id)?.promise;
    const verdict = verdictOf(check, finished, { seed: 0, command: '', ...this.#run?.plan }, this.#tests);
    return verdict.error === undefined ? verdict : { ...verdict, error: thrownAt(verdict.error, this.#caller) };
  }

  /**
   * Ends the run, early where not all of its checks have ended, and closes the target.
   *
   * @throws what no single test shows: the target or the probe was lost, what is required was not observed, ...
   */
  async end(): Promise<void> {
    if (this.#open > 0) this.#stopping.abort();
    const summary = await this.#summary?.catch(() => undefined);
    if (summary === undefined || this.#failed || this.#stopping.signal.aborted) return;
    const troubles = troublesOf(summary, this.#checks, this.#tests);
    if (troubles.length > 0) throw thrownAt(new Error(troubles.join('\n')), this.#caller);
  }

  async #conduct(ids: readonly string[]): Promise<RunSummary> {
    const run = await this.#tests.open(ids, this.#stopping.signal);
    this.#run = run;
    try {
      const outputs = openOutputs(this.#tests.report, { ...surroundings(), runId: run.plan.runId });
      const tests = { name: 'tests', reporter: { onEvent: (event: RunEvent) => this.#hear(event) } };
      try {
        return await reportRun(run.events, [...outputs.reporters, tests]);
      } finally {
        outputs.close();
      }
    } finally {
      await run.close();
    }
  }

  #hear(event: RunEvent): void {
    if (event.type === 'control.finished' && (event.accepted || event.instead !== undefined)) this.#goesOn();
    if (event.type !== 'check.finished') return;
    this.#open -= 1;
    this.#checks.get(event.check)?.resolve(event);
  }

  #goesOn(): void {
    this.#failed = false;
    this.#begun.resolve();
  }

  /** Nothing more will be heard. @param error - why nothing has begun, where that is so */
  #settle(error: unknown): void {
    this.#begun.reject(error instanceof Error ? this.#pointed(error) : error);
    for (const check of this.#checks.values()) check.resolve(undefined);
  }

  #pointed(error: Error): Error {
    error.message = inOptions(error.message, this.#tests.names);
    return thrownAt(error, this.#caller);
  }
}

/** Nothing is drawn over what the test runner shows. */
function surroundings(): Omit<OutputOptions, 'runId'> {
  const environment = process.env;
  const stdout = { ...streamSink(process.stdout, environment), tty: false };
  const stderr = { ...streamSink(process.stderr, environment), tty: false };
  return { workingDirectory: process.cwd(), stdout, documents: stdout, stderr, environment };
}

/** What no single test shows, a line each. */
function troublesOf(summary: RunSummary, selected: Selected, tests: Tests): readonly string[] {
  const { lost, probeFailed, errors } = summary;
  const listed = tests.requirements.flatMap(({ checks }) => checks);
  const isWhole = (id: string): boolean =>
    listed.every((check) => selected.has(check.id) || !check.requirements.includes(id));
  const own = new Set(listed.flatMap(({ id, known }) => (known === undefined ? [] : [id])));
  const problems = [
    ...(lost === undefined ? [] : [`${lost.reason}${lost.advice === undefined ? '' : `. ${lost.advice}`}`]),
    ...(probeFailed === undefined
      ? []
      : [`The probe did not show effects: ${probeFailed.reason}. ${probeFailed.advice}`]),
    ...errors.map(({ message }) => `A fault of the kit: ${message}`),
    ...(lost === undefined ? unexplainedDeaths(summary) : []).map(
      ({ detail }) => `The target ${detail}, and no check shows why.`,
    ),
    ...unobservedRequired(summary)
      .filter(({ id }) => isWhole(id))
      .map(({ id, reason }) => `${id} is required, and was not observed: ${reason}`),
    ...unmetExpectations(summary)
      .filter(({ id, outcome }) => outcome !== 'left-out' && !own.has(id) && isWhole(id))
      .map(({ id, reason, outcome }) => `${id} is listed as known to fail (${reason}): ${expectationWords[outcome]}`),
  ];
  return problems.map((line) => inOptions(line, tests.names));
}

const expectationWords: Readonly<Record<ExpectationOutcome, string>> = {
  fails: 'it does',
  passes: 'it does not fail any more; take the entry out',
  'not-tested': 'nothing was seen of it',
  'left-out': 'it was not run',
  elsewhere: 'its checks are in another part of the run',
  expired: 'the entry has expired',
  unknown: 'there is no requirement and no check of that name',
};

/** Where the tests were listed: what their errors point to. */
export interface Caller {
  /** Lines of a stack, the nearest call first. */
  readonly frames: string;
  /** The same place in the code that runs, which may have been made of the source. Nothing where it is not known. */
  readonly place?: Place | undefined;
}

interface Place {
  readonly filename: string;
  /** From 0. */
  readonly lineOffset: number;
  /** From 0. */
  readonly columnOffset: number;
}

/**
 * Who called a function.
 *
 * @param callee - the function that is still running, and calls this one
 */
export function callerOf(callee: (...args: never) => unknown): Caller {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, callee);
  const [, ...frames] = (trace.stack ?? '').split('\n');
  const [, , site] = getCallSites(3, { sourceMap: false });
  const place = site && {
    filename: site.scriptName,
    lineOffset: site.lineNumber - 1,
    columnOffset: site.columnNumber - 1,
  };
  return { frames: frames.slice(0, 1).join('\n'), place };
}

/**
 * Calls an action from where the tests were listed. A test library takes the place of a test from the stack, and by the time
 * at which these tests are listed the caller is on it no more.
 */
export function calledAt({ place }: Caller, action: () => unknown): void {
  if (place === undefined) action();
  else compileFunction('action()', ['action'], place)(action);
}

/** The same error, as if it had come about where the tests were listed. */
function thrownAt<E extends Error>(error: E, { frames }: Caller): E {
  error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}

/** What an action returns. What it throws points to where the tests were listed. */
export function pointed<T>(action: () => T, caller: Caller): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof Error ? thrownAt(error, caller) : error;
  }
}
