/** Milliseconds until a step that failed is tried again. */
const mendingTime = 1000;

/** Says that a step could not be stored (a full disk, say), and has it taken again. */
export function mend(what: string, cause: unknown, again: (at: number) => void): void {
  process.emitWarning(`${what} failed, and is tried again: ${String(cause)}`);
  again(Date.now() + mendingTime);
}
