import { createProbe } from '../receiver/createProbe.ts';
import { type Probe, ProbeError } from '../receiver/probe.ts';
import { RetriedProbe } from '../receiver/retriedProbe.ts';
import { Settler } from '../receiver/settler.ts';
import type { LoadPlan } from './loadOptions.ts';
import type { Original } from './mixture.ts';

/** What is wrong with the effects of a notification. */
export interface WrongEffects {
  readonly original: Original;
  readonly kind: 'lost' | 'repeated' | 'forged';
  readonly count: number;
}

/** Asks a probe how often notifications took effect, for several virtual users at once. */
export class EffectCount {
  readonly #probe: Probe;
  readonly #settler: Settler;
  readonly #asked = new Map<string, Original>();
  /** The moments (monotonic) of the deliveries that are asked for, and of the last one of all. */
  readonly #times = { last: 0, of: (id: string) => this.#asked.get(id)?.at };

  /** @throws ProbeError where it is no probe */
  constructor(probe: string, { access, settle, target }: LoadPlan) {
    const { signal } = new AbortController();
    this.#probe = new RetriedProbe(createProbe(probe, access, target), signal);
    this.#settler = new Settler({ probe: this.#probe, times: this.#times, settle, signal });
  }

  /** Notes that a delivery goes out at this moment: effects are awaited from the last one on. */
  delivering({ at }: Original): void {
    this.#times.last = at;
  }

  /**
   * Those that took no effect although they were acknowledged, those that took effect more than once, and forged ones that took
   * any. Waits until effects have come, or none came for the settling time.
   *
   * @throws ProbeError where the probe does not count
   */
  async wrongOf(originals: Iterable<Original>): Promise<readonly WrongEffects[]> {
    const all = [...originals];
    for (const original of all) this.#asked.set(original.id, original);
    const effects = await this.#settled(new Map(all.map((each) => [each.id, each.acknowledged ? 1 : 0])));
    for (const { id } of all) this.#asked.delete(id);
    const { silence } = this.#probe;
    if (silence !== undefined && all.some(({ acknowledged }) => acknowledged))
      throw new ProbeError(
        `${silence}: no count of a delivery that was accepted`,
        'A probe counts how often the notification with an id took effect: 0 before its delivery, 1 after it',
        'Let it count the effects of what the receiver has accepted; if they come late, give a longer settle',
      );
    return all.flatMap((original) => wrong(original, effects.get(original.id) ?? 0));
  }

  /** A round begins when the one before is over. */
  async #settled(expected: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    let isOver = false;
    const effects = this.#settler.wait(expected).finally(() => (isOver = true));
    while (!isOver) {
      await Promise.race([this.#settler.quiet(), effects]);
      await Promise.race([this.#settler.begin(), effects]);
    }
    return effects;
  }
}

function wrong(original: Original, count: number): readonly WrongEffects[] {
  if (original.forgery !== undefined) return count > 0 ? [{ original, kind: 'forged', count }] : [];
  if (count > 1) return [{ original, kind: 'repeated', count }];
  return count === 0 && original.acknowledged ? [{ original, kind: 'lost', count }] : [];
}
