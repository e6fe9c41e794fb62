/**
 * Does something after the answer, as many a receiver does: nothing waits for it, and nobody is told where it fails,
 * because the process ended or the store was closed.
 *
 * @param ms - milliseconds from now
 */
export function later(ms: number, action: () => unknown): void {
  const attempt = async () => action();
  setTimeout(() => void attempt().catch(() => undefined), ms).unref();
}
