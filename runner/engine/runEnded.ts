/** Thrown into a case whose run has ended: it shows nothing, and nobody is to blame. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}
