import { getCallSites } from 'node:util';
import { compileFunction } from 'node:vm';

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
export function thrownAt<E extends Error>(error: E, { frames }: Caller): E {
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
