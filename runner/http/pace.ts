/** Requests under way at once: at first, and at most. */
const first = 4;
const most = 64;

/**
 * A target that answers at once is not faster with more under way: they only queue up. So many are enough, unless each
 * takes so long that more of them are (one for each so many milliseconds).
 */
const enough = { count: 16, each: 2 } as const;

/** Answers that are looked at together, at least: a single one may be late by chance. */
const fewest = 4;

/** An answer is late where it takes this many times as long as without load, and these milliseconds more. */
const late = { times: 2, more: 100 } as const;

/** Where answers come no sooner than this share of what they took before the last halving, load is not why they are late. */
const noSooner = 0.8;

/** A request that is over. */
interface Over {
  /** When it was sent, in milliseconds (monotonic). */
  readonly began: number;
  /** Whether as many were under way as may be when it was sent. */
  readonly full: boolean;
}

/**
 * How many requests may be under way at the same time. It follows what the target can take: it doubles until answers come
 * later than without load, is halved then and whenever an answer fails, and grows by one after each round of good answers.
 * Where fewer make answers come no sooner, some simply take longer than others, and it doubles again.
 */
export class Pace {
  /** The highest number that it ever allows. */
  readonly most: number;
  readonly #isFixed: boolean;
  #limit: number;
  #doubles = true;
  /** Milliseconds of an answer without load, as far as is known. */
  #unloaded: number | undefined;
  /** Milliseconds of the answers since the last change. */
  #seen: number[] = [];
  /** Milliseconds of an answer before the last halving, where answers that came late were the reason. */
  #late: number | undefined;
  /** Requests that were sent before say nothing about the present number. */
  #since = 0;
  /** When the last one of those was sent that were answered. */
  #answeredSince = -Infinity;

  /** @param fixed - the number, where it does not follow the target */
  constructor(fixed?: number) {
    this.#isFixed = fixed !== undefined;
    this.#limit = fixed ?? first;
    this.most = fixed ?? most;
  }

  get limit(): number {
    return this.#limit;
  }

  /** An answer came. @param ms - how long it took */
  answered(ms: number, { began, full }: Over): void {
    this.#answeredSince = Math.max(this.#answeredSince, began);
    if (this.#isFixed || began < this.#since) return;
    this.#unloaded ??= ms;
    // While fewer are under way, their answers show nothing about as many as may be.
    if (!full) return;
    this.#seen.push(ms);
    if (this.#seen.length < Math.max(this.#limit, fewest)) return;
    const usual = median(this.#seen);
    const isLate = usual > late.times * this.#unloaded + late.more;
    const isLoad = isLate && this.#limit > 1 && usual <= noSooner * (this.#late ?? Infinity);
    if (isLoad) {
      this.#halve();
      this.#late = usual;
      return;
    }
    if (isLate && this.#late !== undefined) this.#doubles = true;
    this.#late = undefined;
    this.#unloaded = isLate ? usual : Math.min(this.#unloaded, usual);
    // Alone, it is as late as it is.
    if (!isLate || this.#doubles) this.#grow(this.#unloaded);
    this.#seen = [];
  }

  /**
   * No answer came, or one that says that there was too much to do.
   *
   * @param silent - true where none came in time: if later requests were answered, it did not wait for its turn
   */
  failed({ began, silent = false }: Pick<Over, 'began'> & { readonly silent?: boolean }): void {
    if (this.#isFixed || began < this.#since || (silent && began < this.#answeredSince)) return;
    this.#halve();
  }

  #grow(unloaded: number): void {
    const highest = Math.min(most, Math.max(enough.count, Math.ceil(unloaded / enough.each)));
    this.#limit = Math.max(this.#limit, Math.min(highest, this.#doubles ? 2 * this.#limit : this.#limit + 1));
  }

  #halve(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#doubles = false;
    this.#late = undefined;
    this.#since = performance.now();
    this.#seen = [];
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
