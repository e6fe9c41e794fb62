import { setTimeout as sleep } from 'node:timers/promises';

import { Unproven } from '../../suites/check.ts';
import { itemOf } from '../../suites/items.ts';
import type { Effects, SettledEffect } from '../../suites/kit.ts';
import type { Lateness } from '../engine/lateness.ts';
import { Deadline } from '../engine/ending.ts';
import { EffectTimes, SettledEffects } from './effectTimes.ts';
import type { Probe } from './probe.ts';

/** What the settler must know about the deliveries: when they were made. */
export interface DeliveryTimes {
  /** Milliseconds (monotonic) of an id's last delivery; nothing for an id that was never sent. */
  of(id: string): number | undefined;
  /** Milliseconds (monotonic) of the last delivery of all. */
  readonly last: number;
  /** The latest ids, so many at most. */
  latest?(most: number): readonly string[];
  /** Milliseconds (monotonic) since which the target runs: what it owed before cannot come earlier. */
  readonly upSince?: number;
}

export interface SettlerOptions {
  readonly probe: Probe;
  readonly times: DeliveryTimes;
  /** Milliseconds that an absence is awaited. Default: what the {@link EffectTimes} suggest. */
  readonly settle?: number | undefined;
  /** By `performance.now`: what is awaited is awaited for longer by it. Default: the kit is never late. */
  readonly lateness?: Lateness;
  readonly signal: AbortSignal;
  /** When the run has to be at its end: waiting takes no more than a part of what is left. Default: never. */
  readonly deadline?: Deadline;
  /** Asks at the end of a round, once what must not be disturbed is over. Default: at once. */
  readonly inTurn?: <T>(ask: () => Promise<T>) => Promise<T>;
}

interface Waiting {
  readonly expected: ReadonlyMap<string, number>;
  /** Milliseconds (monotonic): all that it waits for was sent by then. */
  readonly since: number;
  /** True where nothing is awaited that must not come. */
  readonly isSoon: boolean;
  readonly resolve: (effects: Effects) => void;
  readonly reject: (error: unknown) => void;
}

/** How long {@link Settler.untilSeen} waits, in milliseconds; `until` and `since` are moments (monotonic). */
interface Limits {
  readonly until?: number;
  readonly first?: number;
  readonly atLeast?: number;
  readonly since?: number;
}

/** A backlog that is still being worked off is waited for, but not for ever. */
const longestRound = 120_000;
/** The look from which on it is asked, too, for some of what nobody waits for: half a second has passed by then. */
const wondering = 8;
/** How many of the latest deliveries may stand before what is awaited, and of how many of them it is asked. */
const before = { latest: 2000, asked: 40 } as const;
/** The part of the time that is left which a round may take at most. */
const roundShare = 0.5;

/**
 * The wait for effects that all checks share.
 *
 * Those who want to know numbers of effects say what they expect and wait; once nobody is at work any more, one round
 * asks the probe until all that is expected has come, or nothing more has come for the settling time; then it lets the
 * settling time pass since the last of these deliveries (an effect that must not come would come now) and asks for all ids
 * at once. Meanwhile others may be at work, and the next round may begin.
 */
export class Settler {
  readonly #options: SettlerOptions;
  #waiting: Waiting[] = [];
  readonly #rounds = new Set<Promise<void>>();
  /** Called once the next round that begins has seen what is expected. */
  #onSeen: (() => void)[] = [];
  readonly #times = new EffectTimes();
  #inVain = false;
  readonly #settledEffects = new SettledEffects();
  /** Called instead of a round that is not to begin yet. */
  #held: (() => void) | undefined;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** Milliseconds that an absence is awaited, as far as is known by now. */
  get settle(): number {
    return this.#options.settle ?? this.#times.settle;
  }

  /** Milliseconds of the slowest effect seen. */
  get slowest(): number {
    return this.#times.slowest;
  }

  /** What rounds ended with, of ids that were not delivered again since. */
  get settledEffects(): ReadonlyMap<string, SettledEffect> {
    return this.#settledEffects.since(this.#options.times);
  }

  /**
   * The numbers of effects after the next round.
   *
   * @param since - when (monotonic) the last of these deliveries had been made. Default: now
   * @param isSoon - whether the part of the round is enough in which what is expected comes. Default false
   */
  wait(expected: ReadonlyMap<string, number>, since = performance.now(), isSoon = false): Promise<Effects> {
    return new Promise((resolve, reject) => this.#waiting.push({ expected, since, isSoon, resolve, reject }));
  }

  /** Begins a round if anybody waits. To be called whenever nobody is at work. Resolves once it is over. */
  async begin(): Promise<void> {
    if (this.#waiting.length === 0) return;
    if (this.#held) return this.#held();
    const waiting = this.#waiting.splice(0);
    const onSeen = this.#onSeen.splice(0);
    const round = this.#settle(waiting, () => onSeen.forEach((seen) => seen())).finally(() =>
      this.#rounds.delete(round),
    );
    this.#rounds.add(round);
    await round;
  }

  /** Keeps a round from beginning. @param held - called where it would have begun. Default: rounds begin again */
  hold(held?: () => void): void {
    this.#held = held;
  }

  /** Resolves once the next round that begins has seen what is expected: from then on it awaits absences alone. */
  nextSeen(): Promise<void> {
    return new Promise((seen) => this.#onSeen.push(seen));
  }

  /** True where no round is under way. */
  get isQuiet(): boolean {
    return this.#rounds.size === 0;
  }

  /** Resolves once no round is under way: what would keep the probe from answering must wait for it. */
  async quiet(): Promise<void> {
    while (!this.isQuiet) await Promise.all(this.#rounds);
  }

  async #settle(waiting: readonly Waiting[], seen: () => void): Promise<void> {
    try {
      const effects = await this.#count(waiting, seen);
      for (const { resolve } of waiting) resolve(effects);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      seen();
    }
  }

  async #count(waiting: readonly Waiting[], seen: () => void): Promise<Effects> {
    const { inTurn = (ask) => ask(), times } = this.#options;
    const expected = new Map(waiting.flatMap((one) => [...one.expected]));
    const last = waiting.reduce((latest, { since }) => Math.max(latest, since), 0);
    const until = this.#roundEnd;
    const soon = await this.untilSeen(expected, { until, since: last });
    for (const one of waiting) {
      if (!one.isSoon) continue;
      this.#settledEffects.record(one.expected, soon, performance.now());
      one.resolve(soon);
    }
    seen();
    const others = waiting.filter(({ isSoon }) => !isSoon);
    if (others.length === 0) return soon;
    // What must not come may stand in a queue behind all that was expected.
    const begun = Math.max(last, this.#times.lastTurn, times.upSince ?? 0);
    for (;;) {
      const settled = this.#due(begun, this.settle);
      if (settled > Math.max(until, performance.now()))
        throw new Unproven('the time of the run (--time) did not suffice to wait for effects that must not come');
      await this.#pause(settled - performance.now());
      const effects = await inTurn(() => this.#settled(expected, { until, since: last }));
      if (effects) return effects;
    }
  }

  /** The numbers of effects; nothing where some of those that are missing are still coming. */
  async #settled(expected: ReadonlyMap<string, number>, limits: Limits): Promise<Effects | undefined> {
    const at = performance.now();
    const effects = await this.#options.probe.count([...expected.keys()]);
    const missing = new Map([...expected].filter(([id, count]) => (effects.get(id) ?? 0) < count));
    if (missing.size > 0 && (await this.#stillComing(missing, effects, limits))) return undefined;
    this.#settledEffects.record(expected, effects, at);
    return effects;
  }

  /**
   * Asks until every id has its effects, or nothing more came for the settling time. Resolves to what was seen.
   *
   * @param limits - `first`: milliseconds that the first effect of all is waited for, where that is longer; `atLeast`:
   * milliseconds that any effect is waited for after a settling time, unless the user said how long an absence is
   * awaited, or waiting so long was in vain before: then there is no wait at all; `since`: when the last of these
   * deliveries had been made, where others may follow. Default: the last of all
   */
  async untilSeen(expected: ReadonlyMap<string, number>, limits: Limits = {}): Promise<Effects> {
    const { until = this.#roundEnd, first = 0 } = limits;
    const atLeast = this.#inVain || this.#options.settle !== undefined ? 0 : (limits.atLeast ?? 0);
    if ((limits.atLeast ?? 0) > atLeast) return this.#options.probe.count([...expected.keys()]);
    const seen = new Map<string, number>();
    const absent = new Map<string, number>();
    const open = new Set([...expected].filter(([, count]) => count > 0).map(([id]) => id));
    let quietSince = performance.now();
    const isRound = limits.since !== undefined;
    const others = new Set<string>();
    for (let pause = 10, looks = 0; open.size > 0; pause = Math.min(pause * 1.5, 200), looks++) {
      if (looks === wondering) for (const id of this.#others(expected)) others.add(id);
      const counts = await this.#options.probe.count([...open, ...others]);
      const now = performance.now();
      for (const [id, count] of counts) if (expected.has(id)) seen.set(id, count);
      const came = [...counts].filter(([id, count]) => count >= (expected.get(id) ?? 1)).map(([id]) => id);
      if (came.some((id) => open.has(id) || (isRound && absent.has(id)))) quietSince = now;
      for (const id of came) if (!open.delete(id)) others.delete(id);
      this.#record(came, absent, now);
      for (const id of [...open, ...others]) if (!absent.has(id)) absent.set(id, now);
      const anySeen = [...seen.values()].some((count) => count > 0);
      const settling = anySeen || this.#options.settle !== undefined ? this.settle : Math.max(first, this.settle);
      const longest = Math.max(settling, atLeast);
      if (now > this.#due(Math.max(quietSince, limits.since ?? this.#options.times.last), longest) || now > until) {
        this.#inVain ||= atLeast > 0;
        break;
      }
      if (open.size > 0) await this.#pause(pause);
    }
    return seen;
  }

  /** Some of what was delivered lately, that nobody waits for here: what is awaited may have to wait for it. */
  #others(expected: ReadonlyMap<string, number>): readonly string[] {
    const ids = (this.#options.times.latest?.(before.latest) ?? []).filter((id) => !expected.has(id));
    const step = Math.max(1, ids.length / before.asked);
    return Array.from({ length: Math.min(ids.length, before.asked) }, (_, at) => itemOf(ids, Math.floor(at * step)));
  }

  /** Only of what an earlier look did not show: the rest may have come long before anybody looked. */
  #record(came: readonly string[], absent: ReadonlyMap<string, number>, now: number): void {
    const timed = came.flatMap((id) => {
      const absentAt = absent.get(id);
      return absentAt === undefined ? [] : [{ owedSince: this.#owedSince(id, now), absentAt }];
    });
    this.#times.record(timed, now);
  }

  /** When what was owed since then, and awaited for so long, is absent. */
  #due(since: number, ms: number): number {
    return this.#options.lateness?.extended(since, since + ms) ?? since + ms;
  }

  /** When a round that begins now is over, whatever comes. */
  get #roundEnd(): number {
    const { deadline = new Deadline() } = this.#options;
    return performance.now() + Math.min(longestRound, deadline.left * roundShare);
  }

  #owedSince(id: string, now: number): number {
    const { times } = this.#options;
    return Math.max(times.of(id) ?? now, times.upSince ?? 0);
  }

  /** Whether a second look, a settling time later, shows more effects than the first: then a backlog is being worked off. */
  async #stillComing(missing: ReadonlyMap<string, number>, before: Effects, limits: Limits): Promise<boolean> {
    if (performance.now() > (limits.until ?? Infinity)) return false;
    const after = await this.untilSeen(missing, limits);
    return [...missing.keys()].some((id) => (after.get(id) ?? 0) > (before.get(id) ?? 0));
  }

  async #pause(ms: number): Promise<void> {
    if (this.#options.signal.aborted) throw new Unproven('the run ended before effects were seen');
    if (ms <= 0) return;
    await sleep(ms, undefined, { signal: this.#options.signal }).catch(() => {
      throw new Unproven('the run ended before effects were seen');
    });
  }
}
