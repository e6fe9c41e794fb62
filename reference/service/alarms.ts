/** The longest delay that the runtime's timers take, in ms (about 24.8 days). */
const longest = 2 ** 31 - 1;

/** Wakes up at moments that may be weeks away, and forgets all of them at once. */
export class Alarms {
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  /** @param at - milliseconds since 1970; a moment in the past is now */
  set(at: number, action: () => void): void {
    if (this.#stopped) return;
    const delay = Math.min(Math.max(at - Date.now(), 0), longest);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (delay === longest) this.set(at, action);
      else action();
    }, delay);
    this.#timers.add(timer);
  }

  /** Nothing is woken any more. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

/** Milliseconds until a step that failed is tried again. */
const retryTime = 1000;

/** Says that a step could not be stored (a full disk, say), and has it taken again. */
export function retryStep(what: string, cause: unknown, again: (at: number) => void): void {
  process.emitWarning(`${what} failed, and is tried again: ${String(cause)}`);
  again(Date.now() + retryTime);
}
