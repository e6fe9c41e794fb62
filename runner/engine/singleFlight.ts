/** Answers all who ask at the same time with one asking. */
export function singleFlight<T>(ask: () => Promise<T>): () => Promise<T> {
  let flight: Promise<T> | undefined;
  return () => (flight ??= ask().finally(() => (flight = undefined)));
}
