import type { Arbitrary } from 'fast-check';

import type { Attempt, Delivery } from './delivery.ts';
import type { Draw, ServiceDraw } from './draw.ts';
import type { Exchange } from './exchange.ts';
import type { ReceiverKit } from './kit.ts';
import type { ServiceKit } from './serviceKit.ts';
import type { Json } from '../generators/json/json.ts';
import type { OperationRole, RequirementId } from '../spec/names.ts';
import type { ContractPart } from '../spec/contractParts.ts';

/**
 * What a check of a receiver cannot do without; the option that provides it is named in the report where it is missing.
 * `process-control` is the power to kill, stop, pause and start it, `published` the sender addresses that it lets in, `api` the
 * service's API, played by the kit where the receiver looks for it, `secret-variable` the variable of its environment from
 * which a receiver that the kit starts takes its secret.
 */
export type Need = 'secret' | 'probe' | 'process-control' | 'published' | 'api' | 'secret-variable';

/**
 * What a check of a service cannot do without: `event` is any way to make something happen, `any-event` the way to make
 * each event of the catalogue happen, `trackable` and `untrackable` are numbers that the service can and cannot find,
 * `process-control` is the power to kill, stop, pause and start the service.
 */
export type ServiceNeed = 'event' | 'any-event' | 'trackable' | 'untrackable' | 'process-control';

/** Side by side with all others of its kind. */
interface Beside {
  readonly kind: 'beside';
}

/** Alone and after those that disturb nobody, because it would disturb what runs beside it: a flood, hostile input. */
interface Alone {
  readonly kind: 'alone';
  /** True where few of its cases disturb anybody: of a target that answers slowly, some are tried at a time. Default false. */
  readonly grouped?: boolean;
  /**
   * Deliveries that a case sends at once, for each that the user lets the kit have in flight. If as many, one after the other,
   * would take longer than the time-out, it comes first: there may be no time for it later.
   */
  readonly burst?: number;
}

/** Alone and after those, because its cases kill, stop or pause the target: it needs `process-control`. */
interface Interrupting {
  readonly kind: 'interrupting';
  /**
   * True where its cases depend on the moment of the interruption: what may have been chance is then tried again
   * several times, and must recur in one of them. Default false: it must recur at once.
   */
  readonly timed?: boolean;
  /** False where its cases let the target stand still and go on: they cost no start. Default true. */
  readonly restarts?: boolean;
}

/** After all others, because it is about the time since the run began. */
interface Last {
  readonly kind: 'last';
  /** True where what its cases deliver would disturb the others of its kind: they come after those, side by side. Default false. */
  readonly grouped?: boolean;
}

/** All its cases start at once, for they wait for deliveries: their waits are shared. */
interface Waiting {
  readonly kind: 'waiting';
}

/**
 * One case at work at a time, beside nothing but long waits, because they make the service busy. Checks come one by one, those
 * about numbers beside the others where events are raised otherwise.
 */
interface Singly {
  readonly kind: 'singly';
  /**
   * What it waits for most of its time, beside others that do: what must not come, or the last retry of a series. Those that
   * do not wait take their turns afterwards, and while retries are awaited. Default: it does not wait.
   */
  readonly waitsFor?: 'absence' | 'retries';
}

/** When a check of a receiver runs, and beside what. */
export type ReceiverSchedule = Beside | Alone | Interrupting | Last;

/** When a check of a service runs, and beside what. */
export type ServiceSchedule = Beside | Waiting | Singly | Alone | Interrupting;

type Schedule = ReceiverSchedule | ServiceSchedule;

/** What every finding says. Nothing here has been formatted for a reader's terminal. */
interface Conclusion {
  /** The requirement ids that this case breaks: some of the check's own. */
  readonly requirements: readonly RequirementId[];
  readonly expected: string;
  readonly actual: string;
  /**
   * True for an absence (no effect, no answer, no delivery) and for a right call that was refused, as a service also does that
   * has no room left: it must recur with fresh ids before it counts.
   */
  readonly absence: boolean;
  /** True where the target died of the case, and nobody had asked for that. Set by the engine. */
  readonly died?: true;
  /** Where it did not end, but answers nobody any more (`perhaps` if other cases were at work by then), or refuses everybody. Set by the engine. */
  readonly hung?: 'of it' | 'perhaps' | 'refuses all';
  /** What differs between the twin and the decisive exchange, in a few words. */
  readonly difference?: string;
  /** Where that difference lies, where every delivery differs there anyway. */
  readonly differsIn?: 'signature';
  /** How this kind of case is usually got wrong, where the check's own hint speaks of another mistake. */
  readonly hint?: string;
}

/** Why a requirement of a receiver is broken, as data. */
export interface Finding extends Conclusion {
  /** What was sent and what came back, in order, the decisive attempt last. */
  readonly attempts: readonly Attempt[];
  /** The accepted neighbour that differs from the decisive attempt in one detail. */
  readonly twin?: Attempt;
  /** True where time decides: at the same moment, within a connection, after a wait. Shell lines one after the other cannot show it. */
  readonly concurrent?: boolean;
  /** Ids whose number of effects is the point of the finding. */
  readonly effects?: readonly { readonly id: string; readonly expected: number; readonly actual: number }[];
  /** All that it takes to see it again, so that it can be sent without the kit. */
  readonly sent?: Sent;
}

/** What a case sent until its failure was seen. */
export interface Sent {
  /** A plain delivery that every right receiver accepts, under an id of its own. */
  readonly control: Delivery;
  /** All attempts, in order; where an answer is the failure, the last one has it. */
  readonly attempts: readonly Attempt[];
}

/** Why a requirement of a service is broken, as data. */
export interface ServiceFinding extends Conclusion {
  /** The calls and the deliveries that show it, in the order of time, the decisive one last. A few, not all of the case. */
  readonly exchanges: readonly Exchange[];
  /** The accepted neighbour that differs from the decisive exchange in one detail. */
  readonly twin?: Exchange;
  /**
   * True where an endpoint of the kit that answered late could have brought it about (a further attempt, the order in
   * which things came): it counts only where the kit was in time. False where nothing that the kit answers has a part in it,
   * and it was awaited for long enough on any machine. Default: whether something did not come beside what was caught, or
   * broke off.
   */
  readonly hangsOnTime?: boolean;
}

/** Thrown by a check when a case shows nothing: its twin was not accepted, its connection could not be made. */
export class Unproven extends Error {
  override readonly name: string = 'Unproven';

  /** @param doubts - requirements, the check's own or others, that what hid the answer speaks against */
  constructor(
    message: string,
    { doubts = [], ...options }: ErrorOptions & { readonly doubts?: readonly RequirementId[] } = {},
  ) {
    super(message, options);
    this.doubts = doubts;
  }

  readonly doubts: readonly RequirementId[];
}

/** Thrown where the time that the user gave ran out before the case showed anything: trying again would not help. */
export class OutOfTime extends Unproven {
  override readonly name: string = 'OutOfTime';
}

/** Thrown where the target does what hides the answer whenever the case is tried. Other cases may show something. */
export class Undecidable extends Unproven {
  override readonly name: string = 'Undecidable';
}

/** Thrown by a check where the target does not offer what would have to be looked at; the message says what it is. */
export class Unobservable extends Error {
  override readonly name = 'Unobservable';
}

/** For `catch` of a promise: nothing where the target does not offer what would have to be looked at. */
export function unlessUnobservable(error: unknown): undefined {
  if (!(error instanceof Unobservable)) throw error;
}

/**
 * A kind of case: one arbitrary, or its variants, which take turns. The seed says which variant is the first; from the
 * intensity `standard` on each of them is tried.
 */
export type CaseKind<V> = Arbitrary<V> | readonly Arbitrary<V>[];

/**
 * A check: data and one `run`.
 *
 * @typeParam Kit - all that `run` may touch
 * @typeParam Source - what the cases are drawn from
 * @typeParam When - the schedules that its side has
 * @typeParam V - one generated case
 */
export interface Check<Kit, Source, Needed, Found, When extends Schedule, V = unknown> {
  /** `<subject>/<topic>/<name>`, fixed for ever: users select by it. */
  readonly id: string;
  /** What a right target does, as a sentence without a subject ("refuses a body changed after signing"). */
  readonly title: string;
  /** The requirements that it can show broken; the first one is its main point. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  readonly needs: readonly Needed[];
  /** What a contract has to have for this check to mean anything; without it the check does not run. Default: nothing. */
  readonly about?: readonly ContractPart[];
  /** When it runs, and beside what. Default: side by side with others. */
  readonly schedule?: When;
  /**
   * The requirement that a target breaks by dying of a case, or by not coming up again after it. Default: that a target
   * goes on serving whatever it is sent, and the first one for a check that has process control.
   */
  readonly fatal?: RequirementId;
  /** What it can test where no plain delivery is seen to be accepted: the answer to them, or how bodies are written. Default: nothing. */
  readonly judges?: 'plain' | 'spelling';
  /** True where it shows why plain deliveries are refused, and so counts where they are refused by chance. Default: where it judges plain ones. */
  readonly judgesChance?: boolean;
  /**
   * True where every case sends what is hostile or is to be refused, without a flood or a long wait. One case of each kind
   * is tried before anything runs side by side: what a single request can kill is known then. Default false.
   */
  readonly canary?: boolean;
  /** How many cases it gets, relative to the intensity's number. Default 1. */
  readonly weight?: number;
  /** How implementations usually get this wrong and how to fix it. */
  readonly hint: string;
  /** The kinds of case; every kind is tried at least once at any intensity, and none twice before all were. */
  cases(draw: Source): readonly CaseKind<V>[];
  /**
   * Tries one case.
   *
   * @returns a finding where the case shows a requirement broken, else nothing
   * @throws Unproven where the case showed neither
   * @throws Unobservable where the target does not offer what it takes
   */
  run(kit: Kit, value: V): Promise<Found | undefined>;
}

/** A check of a receiver. */
export type ReceiverCheck<V = unknown> = Check<ReceiverKit, Draw, Need, Finding, ReceiverSchedule, V>;

/** A check of a service. */
export type ServiceCheck<V = unknown> = Check<ServiceKit, ServiceDraw, ServiceNeed, ServiceFinding, ServiceSchedule, V>;

/** What the checks of one contract add to the general ones: `suites/contracts/`. */
export interface ContractSuite {
  /** Each says in its `about` what only this contract, and others written as it is, have. */
  readonly checks: readonly ServiceCheck[];
  /** Where they run, by the id of the check that they follow. */
  readonly after: Readonly<Record<string, readonly string[]>>;
  /** Its lists beside those that many services have, and the requirement that asks for each. */
  readonly lists: readonly (readonly [OperationRole, RequirementId])[];
  /** What its own operations are called with, by role; `idle` is as like it as can be, and changes nothing. */
  readonly calls: Readonly<
    Partial<Record<OperationRole, (kit: ServiceKit) => { readonly body: Json; readonly idle?: Json }>>
  >;
}

/** When a check runs, and beside what. */
export function scheduleOf<S extends Schedule>({ schedule }: { readonly schedule?: S }): S | Beside {
  return schedule ?? { kind: 'beside' };
}

/** That a target goes on serving whatever it is sent. */
const goesOn = { receiver: 'ROB-1', service: 'ROB-2' } as const satisfies Record<string, RequirementId>;

/** The requirement that a target breaks by dying of a case of this check. */
export function fatalOf(
  { fatal, needs, requirements }: Pick<ReceiverCheck | ServiceCheck, 'fatal' | 'needs' | 'requirements'>,
  subject: keyof typeof goesOn,
): RequirementId {
  const controlsProcess = (needs as readonly string[]).includes('process-control');
  return fatal ?? (controlsProcess ? requirements[0] : goesOn[subject]);
}

/** Whether the moment of an interruption decides what a check's cases show. */
export function isTimed({ schedule }: { readonly schedule?: Schedule }): boolean {
  return schedule?.kind === 'interrupting' && schedule.timed === true;
}

/** Keeps a check's case type while it is written, and forgets it in the registry. */
export function receiverCheck<V>(check: ReceiverCheck<V>): ReceiverCheck {
  return check as ReceiverCheck;
}

/** Keeps a check's case type while it is written, and forgets it in the registry. */
export function serviceCheck<V>(check: ServiceCheck<V>): ServiceCheck {
  return check as ServiceCheck;
}
