interface Lane<T> {
  readonly waiting: T[];
  running: number;
  /** How many of those that run have taken long already. */
  lingering: number;
}

/**
 * What waits for its turn, in lanes that are served in rotation. A lane in which much waits keeps no other waiting; one
 * whose turns take long comes after all others.
 */
export class Lanes<T> {
  readonly #width: number;
  readonly #lanes = new Map<string, Lane<T>>();
  /** Lanes with something waiting and a free place, the next one first. */
  readonly #ready = new Set<Lane<T>>();

  /** @param width - how many of a lane run at once */
  constructor(width: number) {
    this.#width = width;
  }

  add(name: string, item: T): void {
    const lane = this.#lanes.get(name) ?? { waiting: [], running: 0, lingering: 0 };
    this.#lanes.set(name, lane);
    lane.waiting.push(item);
    this.#rank(lane);
  }

  /**
   * The next item, which runs until `release` is called; nothing where none may run.
   *
   * @param width - how many of its lane may run at once, where that is fewer than usual
   */
  take(width: number = this.#width): T | undefined {
    const free = () => this.#ready.values().filter(({ running }) => running < width);
    const lane = free().find(({ lingering }) => lingering === 0) ?? free().next().value;
    if (lane === undefined) return undefined;
    this.#ready.delete(lane);
    lane.running += 1;
    const item = lane.waiting.shift();
    this.#rank(lane);
    return item;
  }

  /** Says that a turn in this lane is taking long. */
  linger(name: string): void {
    const lane = this.#lanes.get(name);
    if (lane !== undefined) lane.lingering += 1;
  }

  /** Gives a lane's place back. @param lingered - whether `linger` was called for it */
  release(name: string, lingered: boolean): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    lane.running -= 1;
    if (lingered) lane.lingering -= 1;
    this.#rank(lane);
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(name);
  }

  #rank(lane: Lane<T>): void {
    if (lane.waiting.length > 0 && lane.running < this.#width) this.#ready.add(lane);
  }
}
