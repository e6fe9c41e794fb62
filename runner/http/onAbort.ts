/** What is to be done where a signal is aborted. */
type Actions = Set<() => void>;

const known = new WeakMap<AbortSignal, { readonly actions: Actions; readonly listener: () => void }>();

/**
 * Does something once the signal is aborted; nothing where it already is. A run has one signal, and many requests under way
 * that end with it: all of them share one listener, for to add one and to take it away again costs as much as a signature.
 *
 * @returns what takes it back
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const { actions, listener } = listenedTo(signal);
  actions.add(action);
  return () => {
    if (!actions.delete(action) || actions.size > 0) return;
    signal.removeEventListener('abort', listener);
    known.delete(signal);
  };
}

function listenedTo(signal: AbortSignal) {
  const before = known.get(signal);
  if (before !== undefined) return before;
  const actions: Actions = new Set();
  const listener = (): void => {
    for (const action of actions) action();
  };
  const made = { actions, listener };
  known.set(signal, made);
  signal.addEventListener('abort', listener, { once: true });
  return made;
}
