/** Holds back those who arrive until it is released; anyone who comes later passes at once. */
export class Hold {
  readonly #held = new Set<() => void>();
  #released = false;

  /** @returns takes the arrival back */
  arrive(pass: () => void): () => void {
    if (this.#released) queueMicrotask(pass);
    else this.#held.add(pass);
    return () => this.#held.delete(pass);
  }

  release(): void {
    this.#released = true;
    for (const pass of this.#held) queueMicrotask(pass);
    this.#held.clear();
  }
}
