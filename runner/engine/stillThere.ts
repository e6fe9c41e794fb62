/**
 * Asks whether a target still takes connections: a few times, for it may be restarting or overloaded. All who ask at the
 * same time share one asking.
 */
export function stillThere(target: { reachable(): Promise<boolean> }): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return () => (asking ??= isThere(target).finally(() => (asking = undefined)));
}

async function isThere(target: { reachable(): Promise<boolean> }): Promise<boolean> {
  for (let asked = 0; asked < 4; asked++) {
    if (await target.reachable()) return true;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return false;
}
