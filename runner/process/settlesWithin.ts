/**
 * Whether a promise settles in time. What runs is waited for, so that a program which does nothing else meanwhile does not
 * end; and no timer is left afterwards.
 *
 * @param timeLimit - milliseconds
 * @param signal - where it is aborted, waiting ends
 */
export function settlesWithin(promise: Promise<unknown>, timeLimit: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
      resolve(answer);
    };
    const give = (): void => settle(false);
    const timer = setTimeout(give, timeLimit);
    signal?.addEventListener('abort', give);
    if (signal?.aborted === true) give();
    const inTime = (): void => settle(true);
    promise.then(inTime, inTime);
  });
}
