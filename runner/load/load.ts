import { randomInt } from 'node:crypto';

import type { RequirementId } from '../../spec/names.ts';
import { describeForgery } from '../../suites/receiver/describeForgery.ts';
import { UsageError } from '../errors.ts';
import { isOverloaded } from '../../suites/answer.ts';
import { createProbe } from '../receiver/createProbe.ts';
import { type Probe, ProbeError, RetriedProbe } from '../receiver/probe.ts';
import { Settler } from '../receiver/settler.ts';
import { targetUrl } from '../receiver/target.ts';
import { type GivenOptions, type LoadPlan, readLoadPlan } from './loadOptions.ts';
import { Mixture, type Original, type Sent } from './mixture.ts';

/** Violations of one kind that are printed at most. */
const printed = 10;

/** What one worker of a load sends, and what comes of it, counted as metrics. */
export class Load {
  readonly plan: LoadPlan;
  readonly #mixture: Mixture;
  readonly #effects: EffectCount | undefined;
  /** What each virtual user sent since it last asked for effects. */
  readonly #sent = new Map<string, Map<string, Original>>();
  readonly #violations = new Map<string, number>();
  readonly #targets = new Map<string, Promise<URL>>();

  private constructor(plan: LoadPlan) {
    const { contract, probe, redeliveries, forgeries, seed = randomInt(2 ** 32) } = plan;
    this.plan = plan;
    this.#mixture = new Mixture(plan, seed);
    this.#effects = probe === undefined ? undefined : new EffectCount(probe, plan);
    print(`contract ${contract.name}, seed ${seed}, redeliveries ${redeliveries}, forgeries ${forgeries}`);
  }

  /** @throws UsageError for options that cannot be, or do not go together */
  static open(given: GivenOptions): Promise<Load> {
    return explained(async () => new Load(await readLoadPlan(given)));
  }

  /**
   * The address of a target, looked at before anything is sent to it.
   *
   * @throws UsageError where it is no http or https URL, or remote without leave
   */
  target(address: string): Promise<URL> {
    const known = this.#targets.get(address) ?? explained(() => targetUrl(address, this.plan.allowRemote));
    this.#targets.set(address, known);
    return known;
  }

  /** The next delivery of the mixture. @param user - the virtual user that sends it */
  send(user: string, metrics: Metrics): Sent {
    const sent = this.#mixture.next();
    const { original } = sent;
    metrics.emit('counter', `seaworthy.${sent.kind}`, 1);
    if (this.#effects !== undefined) {
      this.#effects.delivering(original);
      const ofUser = this.#sent.get(user) ?? new Map<string, Original>();
      this.#sent.set(user, ofUser.set(original.id, original));
    }
    return sent;
  }

  /** Judges an answer by the contract: a forgery is to be refused, everything else accepted, unless the receiver is overloaded. */
  judge(sent: Sent, status: number, metrics: Metrics): void {
    const { kind, original } = sent;
    const isAccepted = this.plan.contract.delivery.acceptedStatuses.includes(status);
    metrics.emit('counter', `seaworthy.${isAccepted ? 'accepted' : 'refused'}`, 1);
    metrics.emit('counter', 'seaworthy.violations', 0);
    if (kind === 'forged' && isAccepted) {
      original.reported = true;
      this.#violated('VRF-2', `a forged delivery was accepted with status ${status}`, original, metrics);
    }
    if (kind === 'forged') return;
    if (isAccepted) return this.#mixture.acknowledge(sent);
    if (isOverloaded({ kind: 'answered', status, headers: [], body: '', ms: 0 }))
      metrics.emit('counter', 'seaworthy.overloaded', 1);
    else if (kind === 'redelivered')
      this.#violated('IDM-1', `what was accepted before was refused with status ${status}`, original, metrics);
    else this.#violated('RCV-2', `a plain delivery was refused with status ${status}`, original, metrics);
  }

  /**
   * Asks the probe for what a virtual user sent since it last asked: whether anything was lost or took effect too often.
   *
   * @throws UsageError where the probe does not count
   */
  async countEffects(user: string, metrics: Metrics): Promise<void> {
    const originals = [...(this.#sent.get(user)?.values() ?? [])];
    this.#sent.delete(user);
    if (this.#effects === undefined || originals.length === 0) return;
    const effects = this.#effects;
    const all = await explained(() => effects.wrongOf(originals).catch(refuseProbe));
    for (const name of ['effects_counted', 'lost', 'repeated', 'violations'])
      metrics.emit('counter', `seaworthy.${name}`, 0);
    metrics.emit('counter', 'seaworthy.effects_counted', originals.length);
    for (const each of all) this.#wrong(each, metrics);
  }

  #wrong({ original, kind, count }: WrongEffects, metrics: Metrics): void {
    if (original.reported) return;
    original.reported = true;
    if (kind === 'forged') return this.#violated('VRF-2', 'a forged delivery took effect', original, metrics);
    metrics.emit('counter', `seaworthy.${kind}`, 1);
    if (kind === 'lost') this.#violated('RTY-1', 'an accepted delivery took no effect', original, metrics);
    else this.#violated('IDM-2', `a notification took effect ${count} times`, original, metrics);
  }

  #violated(id: RequirementId, what: string, { id: notification, event, forgery }: Original, metrics: Metrics): void {
    metrics.emit('counter', 'seaworthy.violations', 1);
    metrics.emit('counter', `seaworthy.violations.${id}`, 1);
    const before = this.#violations.get(id) ?? 0;
    this.#violations.set(id, before + 1);
    if (before >= printed) return;
    const how = forgery === undefined ? '' : `, ${describeForgery(forgery)}`;
    print(`${id} is broken: ${what} (${event} ${notification}${how})`);
  }
}

function print(line: string): void {
  process.stderr.write(`seaworthy: ${line}\n`);
}

/** Artillery counts an error by its code alone: what it says is printed. */
async function explained<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    print((error as Error).message);
    throw error;
  }
}

function refuseProbe(cause: unknown): never {
  if (!(cause instanceof ProbeError)) throw cause;
  throw new UsageError('SW_PROBE_UNUSABLE', cause.explanation, { cause });
}

/** Takes metrics: the events of a virtual user, as Artillery passes them. */
export interface Metrics {
  emit(event: string, ...values: readonly unknown[]): unknown;
}

/** What is wrong with the effects of a notification. */
interface WrongEffects {
  readonly original: Original;
  readonly kind: 'lost' | 'repeated' | 'forged';
  readonly count: number;
}

/** Asks a probe how often notifications took effect, for several virtual users at once. */
class EffectCount {
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
