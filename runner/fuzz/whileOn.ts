/** Waits for the work, and no longer than until the run ends. */
export async function whileOn(ended: AbortSignal, work: Promise<unknown>): Promise<void> {
  if (ended.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onEnd = (): void => resolve();
  ended.addEventListener('abort', onEnd, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    ended.removeEventListener('abort', onEnd);
  }
}
