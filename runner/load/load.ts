import { randomInt } from 'node:crypto';

import type { RequirementId } from '../../spec/names.ts';
import { describeForgery } from '../../suites/receiver/forgery.ts';
import { UsageError } from '../errors.ts';
import { isOverloaded } from '../http/retryAfter.ts';
import { ProbeError } from '../receiver/probe.ts';
import { targetUrl } from '../receiver/target.ts';
import { EffectCount, type WrongEffects } from './effectCount.ts';
import { type GivenOptions, type LoadPlan, readLoadPlan } from './loadOptions.ts';
import type { Metrics } from './metrics.ts';
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
