const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Keeps this process from all of its work for so many milliseconds, as a busy machine does. */
export function beLate(ms: number): void {
  Atomics.wait(nothing, 0, 0, ms);
}
