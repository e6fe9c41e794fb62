/** The memory that all endpoints of a catcher share for what they keep, and for bodies that are still being read. */
export class Room {
  /** How often something found none. */
  refused = 0;
  readonly #bytes: number;
  #taken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Whether more than half of it is taken. */
  get isCrowded(): boolean {
    return this.#taken > this.#bytes / 2;
  }

  /** @returns whether there was as much */
  take(bytes: number): boolean {
    const fits = this.#taken + bytes <= this.#bytes;
    if (fits) this.#taken += bytes;
    else this.refused += 1;
    return fits;
  }

  free(bytes: number): void {
    this.#taken -= bytes;
  }
}
