import type { ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { Moment } from '../../reports/model/events.ts';
import type { Exchange } from '../../suites/exchange.ts';
import { NotStarted } from '../../suites/processControl.ts';
import type { Activity } from '../engine/activity.ts';
import type { GeneratedCase } from '../engine/cases.ts';
import { TargetError } from '../errors.ts';
import { processFailed } from '../process/guardedProcess.ts';
import { type Guardian, notUpAgain } from '../process/guardian.ts';
import type { Property, Trier } from '../engine/property.ts';
import { RunEnded } from '../engine/runEnded.ts';
import type { Suspects } from '../engine/suspects.ts';
import { tryCase, type Trial } from '../engine/trial.ts';
import { ServiceCaseKit } from './caseKit.ts';
import type { ServiceContext } from './context.ts';
import { SupervisedServiceCase } from './supervisedServiceCase.ts';
import { waitFor } from './waiting.ts';
import { serviceGone } from './run.ts';

/** Milliseconds within which a death is known after the connections that it broke. */
const aftermath = 200;

/** Tries the cases of a check of a service, each with a kit of its own, and notices when the service is gone. */
export class ServiceTrier implements Trier<ServiceFinding> {
  readonly #context: ServiceContext;
  readonly #check: ServiceCheck;
  readonly #activity: Activity;
  readonly #suspects: Suspects | undefined;
  /** The kit of the last try of each case. */
  readonly #kits = new WeakMap<GeneratedCase, ServiceCaseKit>();
  readonly #timelines = new WeakMap<ServiceFinding, readonly Moment[]>();
  #property: Pick<Property<ServiceFinding>, 'convict' | 'doubt'> | undefined;

  /** @param suspects - where its cases run one at a time: the case that the target dies of is known then */
  constructor(context: ServiceContext, check: ServiceCheck, activity: Activity, suspects: Suspects | undefined) {
    this.#context = context;
    this.#check = check;
    this.#activity = activity;
    this.#suspects = suspects;
  }

  /** Whose case is convicted when the target dies of it. */
  set property(property: Pick<Property<ServiceFinding>, 'convict' | 'doubt'>) {
    this.#property = property;
  }

  async try(generated: GeneratedCase): Promise<Trial<ServiceFinding>> {
    const owner = { check: this.#check.id, case: generated.index };
    const kit = new ServiceCaseKit(this.#context, owner, this.#activity);
    this.#kits.set(generated, kit);
    if (this.#suspects && !this.#context.targetProcess) this.#suspects.last = { die: () => this.#die(generated, kit) };
    const from = this.#context.elapsed();
    const others = this.#changesOfOthers();
    const trial = await this.#guarded(generated, kit);
    const late = this.#context.lateness.within(from, this.#context.elapsed());
    kit.learning.tellTimes(late > 0);
    await kit.clean().catch((error: unknown) => {
      if (!(error instanceof RunEnded)) throw error;
    });
    const timeline = trial.kind === 'broken' ? kit.timelineOf(trial.finding) : undefined;
    if (trial.kind === 'broken' && timeline) this.#timelines.set(trial.finding, timeline);
    if (late > 0 && hangsOnTime(trial)) return inDoubt(trial, late);
    if (this.#changesOfOthers() !== others) return this.#unquiet(trial);
    return late > 0 ? trial : this.#silent(trial);
  }

  /** What was done and seen in the case that a finding is about; nothing where it had no process control. */
  timelineOf(finding: ServiceFinding): readonly Moment[] | undefined {
    return this.#timelines.get(finding);
  }

  async over(): Promise<boolean> {
    return (await this.#suspects?.convict(this.#context)) ?? false;
  }

  /** Waits until a death can no longer be the doing of the last case. @param ms - how long at most */
  async last(ms: number): Promise<void> {
    const { ended, targetProcess } = this.#context;
    if (targetProcess && !ended.aborted) await targetProcess.guardian.untilDeath(ms);
  }

  async tried(generated: GeneratedCase, trial: Trial<ServiceFinding>): Promise<void> {
    if (this.#context.targetProcess || (trial.kind !== 'broken' && trial.kind !== 'unproven')) return;
    if (!isBroken(this.#kits.get(generated)?.exchanges.at(-1)) || (await this.over())) return;
    if (this.#context.ended.aborted || (await this.#context.stillThere())) return;
    this.#context.end(serviceGone(`while checks ran side by side (${this.#check.id} saw it first)`));
  }

  /** Tries a case once. A service that is under process control runs before it and after it. */
  async #guarded(generated: GeneratedCase, kit: ServiceCaseKit): Promise<Trial<ServiceFinding>> {
    const { ended, targetProcess } = this.#context;
    const run = () => this.#check.run(kit, generated.value.value);
    if (targetProcess === undefined) return tryCase(ended, run);
    const supervisedCase = new SupervisedServiceCase(this.#check, generated.index, {
      alone: this.#suspects !== undefined,
      exchanges: () => kit.exchanges,
      convict: (finding) => this.#property?.convict(generated, finding),
      doubt: (reason) => this.#property?.doubt(generated, reason),
    });
    const kept = async (): Promise<ServiceFinding | undefined> => {
      await targetProcess.guardian.up(supervisedCase);
      const leave = targetProcess.guardian.enter(supervisedCase);
      try {
        return await run();
      } finally {
        if (!supervisedCase.controlsProcess) await this.#lookAfter(supervisedCase, kit, targetProcess.guardian);
        await targetProcess.guardian.up(supervisedCase).finally(leave);
      }
    };
    const upAgain = (error: unknown): ServiceFinding => {
      if (error instanceof TargetError && !ended.aborted) this.#context.end(processFailed(error));
      if (!(error instanceof NotStarted)) throw error;
      this.#context.end(notUpAgain('service', error));
      return supervisedCase.notUp(error);
    };
    const trial = supervisedCase.judged(await tryCase(ended, () => kept().catch(upAgain)));
    // Each case that waits for what does not come takes its time, and the first one has to recur anyway.
    return supervisedCase.controlsProcess && trial.kind === 'broken' ? { ...trial, unanswered: true } : trial;
  }

  /** A broken connection may be the first sign of a death, which is known only a moment later. */
  async #lookAfter(
    supervisedCase: SupervisedServiceCase,
    { exchanges }: ServiceCaseKit,
    guardian: Guardian,
  ): Promise<void> {
    const { api, ended } = this.#context;
    if (ended.aborted || !exchanges.some((exchange) => isBroken(exchange))) return;
    const until = this.#context.elapsed() + aftermath;
    const died = () => supervisedCase.isSuspected || undefined;
    if ((await waitFor(this.#context, died, () => until)) || ended.aborted) return;
    if (!(await api.reachable())) await guardian.missed(() => this.#context.stillThere());
  }

  /** Changes that other checks have made, where this one needs a quiet service. */
  #changesOfOthers(): number {
    const { schedule } = this.#check;
    if (schedule?.kind !== 'singly' || schedule.quiet !== true) return 0;
    const others = [...this.#context.changes].filter(([check]) => check !== this.#check.id && check !== 'control');
    return others.reduce((sum, [, changes]) => sum + changes, 0);
  }

  /** What goes on beside a check that needs quiet may be what it saw. */
  #unquiet(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    if (trial.kind !== 'broken') return trial;
    const reason = `other checks were at work as well, so this shows nothing: ${trial.finding.actual}`;
    return { kind: 'unproven', reason, final: false };
  }

  /** Where the service has not sent anything in the whole run, waiting once more would only take time. */
  #silent(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    const final = trial.kind === 'unproven' && this.#context.deliveryLog.newest === 0;
    return final ? { ...trial, final } : trial;
  }

  /** The service is gone, and nothing ran beside this case: that is certain at once. */
  #die(generated: GeneratedCase, { exchanges }: ServiceCaseKit): void {
    this.#property?.convict(generated, {
      requirements: [this.#check.fatal ?? this.#check.requirements[0]],
      expected: 'the service goes on serving',
      actual: 'it stopped taking connections',
      absence: false,
      exchanges: exchanges.slice(-3),
    });
    this.#context.end(serviceGone(`after a case of ${this.#check.id}`));
  }
}

type Broken = Extract<Trial<ServiceFinding>, { readonly kind: 'broken' }>;

/**
 * Whether the kit may have brought it about by being late itself: a delivery that it answered late is broken off, or sent
 * again with good reason. What a whole delivery says is as it is, however late it was heard.
 */
function hangsOnTime(trial: Trial<ServiceFinding>): trial is Broken {
  if (trial.kind !== 'broken') return false;
  const { absence, hangsOnTime: isMarked, exchanges } = trial.finding;
  const caught = exchanges.filter((exchange) => exchange.kind === 'caught');
  return caught.length > 0 && (absence || isMarked === true || caught.some(({ bytes }) => bytes < 0));
}

function inDoubt({ finding }: Broken, late: number): Trial<ServiceFinding> {
  const reason = `the kit itself was ${late} ms late, so this shows nothing: ${finding.actual}`;
  return { kind: 'unproven', reason, final: false, doubted: true };
}

function isBroken(exchange: Exchange | undefined): boolean {
  return exchange?.kind === 'call' && exchange.answer.kind === 'broken';
}
