import type { Arbitrary } from 'fast-check';

import type { Finding, ServiceFinding } from '../check.ts';
import type { Draw, ServiceDraw } from '../draw.ts';
import type { ReceiverKit } from '../kit.ts';
import type { ServiceKit } from '../serviceKit.ts';
import type { RequirementId } from '../../spec/names.ts';

/** One step of a sequence: data that survives JSON unchanged. What it refers to, it calls by name, never by place. */
export interface FuzzStep {
  readonly do: string;
}

/** What the target of a run offers, which decides what steps make sense. */
export interface FuzzMeans {
  /** It is under process control. */
  readonly processControl: boolean;
  /** The sequence runs alone: nothing else is sent to the target meanwhile. */
  readonly alone: boolean;
}

/** A kind of step, and how steps of it are drawn. */
export interface StepKind<Step extends FuzzStep = FuzzStep> {
  readonly kind: Step['do'];
  /** How often it is drawn, relative to the other kinds. */
  readonly weight: number;
  /** Whether most sequences begin with one, for little comes of the others before it. Default: no. */
  readonly opens?: boolean;
  /** Steps of this kind. They shrink to what a reader would want to see first. */
  readonly steps: Arbitrary<Step>;
}

/**
 * What sort of mistake a sequence shows, apart from the requirement that it breaks: `lost`, `twice`, `refused`. Two failures
 * with the same requirements, the same sort and the same kinds of steps after shrinking count as one.
 */
export interface Caused {
  readonly cause: string;
}

/** How a sequence ended. */
export interface SequenceResult<Found> {
  /** The first thing that was wrong, the most certain one where there are several. */
  readonly finding?: Found & Caused;
  /** Requirements that were looked at in this sequence: each could have been found broken. */
  readonly judged: readonly string[];
  /** Short texts about what came back in it. One that no sequence had before makes this one worth keeping. */
  readonly features: readonly string[];
}

/** A target's kind as a model: which steps there are, and what a right target makes of a sequence of them. */
export interface Fuzzing<Kit, Source, Found, Step extends FuzzStep = FuzzStep> {
  readonly subject: 'receiver' | 'service';
  /** The requirements that it can find broken. */
  readonly requirements: readonly RequirementId[];
  /** The names of all kinds of steps that it can play, whatever a run has the means for. Default: no name is refused. */
  readonly knows?: readonly string[];
  /** Why a step of a file must not be played, in words; nothing where it may. Default: any step may. */
  forbids?(step: Step): string | undefined;
  /** The requirement that a target breaks by dying of a sequence that does not kill it. */
  readonly fatal: RequirementId;
  kinds(draw: Source, means: FuzzMeans): readonly StepKind<Step>[];
  /** Whether the step uses process control of the target; a sequence with such a step runs alone. */
  controlsProcess(step: Step): boolean;
  /** Steps of other kinds that are easier to understand, and may show the same. Default: none. */
  plainer?(step: Step): readonly Step[];
  /**
   * The step in a few words, for people: `deliver b again, twice at the same moment`.
   *
   * @param before - the steps that come before it, so that nothing is named that cannot be done there. Default: not known
   */
  describe(step: Step, before?: readonly Step[]): string;
  /** What usually is behind a failure of this sort, and how to fix it. */
  hint(found: Found & Caused): string;
  /**
   * Plays a sequence. Any sequence can be played: a step that makes no sense where it stands does nothing.
   *
   * @throws Unproven where it showed nothing; Unobservable
   */
  run(kit: Kit, steps: readonly Step[]): Promise<SequenceResult<Found>>;
}

/** Sequences of deliveries to a receiver. */
export type ReceiverFuzzing = Fuzzing<ReceiverKit, Draw, Finding>;

/** Sequences of calls to a service, and of answers to its deliveries. */
export type ServiceFuzzing = Fuzzing<ServiceKit, ServiceDraw, ServiceFinding>;

/** Keeps a model's type of steps while it is written, and forgets it for anyone who plays it. */
export function receiverFuzzing<Step extends FuzzStep>(
  fuzzing: Fuzzing<ReceiverKit, Draw, Finding, Step>,
): ReceiverFuzzing {
  return fuzzing as unknown as ReceiverFuzzing;
}

/** The same for a model of a service. */
export function serviceFuzzing<Step extends FuzzStep>(
  fuzzing: Fuzzing<ServiceKit, ServiceDraw, ServiceFinding, Step>,
): ServiceFuzzing {
  return fuzzing as unknown as ServiceFuzzing;
}
