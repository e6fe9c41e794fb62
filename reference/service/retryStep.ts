/** Milliseconds until a step that failed is tried again. */
const retryTime = 1000;

/** Says that a step could not be stored (a full disk, say), and has it taken again. */
export function retryStep(what: string, cause: unknown, again: (at: number) => void): void {
  process.emitWarning(`${what} failed, and is tried again: ${String(cause)}`);
  again(Date.now() + retryTime);
}
