/** Where the tests were listed: what their errors point to. */
export interface Caller {
  /** Lines of a stack, the nearest call first. */
  readonly frames: string;
}

/**
 * Who called a function.
 *
 * @param callee - the function that is still running
 */
export function callerOf(callee: (...args: never) => unknown): Caller {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, callee);
  const [, ...frames] = (trace.stack ?? '').split('\n');
  return { frames: frames.slice(0, 1).join('\n') };
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
