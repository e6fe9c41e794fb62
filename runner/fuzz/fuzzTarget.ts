import type { Contract } from '../../spec/contract.ts';
import type { Caused, FuzzStep, ReceiverFuzzing, ServiceFuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import type { SavedStep } from '../engine/savedCase.ts';
import type { Trial, Found } from '../engine/trial.ts';
import type { Kinds } from './gene.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { RequirementId } from '../../spec/names.ts';
import { receiverModel } from '../../suites/fuzz/receiver/index.ts';
import { serviceModel } from '../../suites/fuzz/service/index.ts';

/** What every finding of a search says. */
export interface FuzzFound extends Found, Caused {
  readonly expected: string;
}

/** What came of playing a sequence. */
export interface Played<F> {
  readonly trial: Trial<F>;
  /** Requirements that were looked at in it. */
  readonly judged: readonly string[];
  readonly features: readonly string[];
  /** Requests that were sent. */
  readonly requests: number;
}

/** How sequences are played. */
export interface Playing {
  /** Milliseconds of the run after which no further one begins. Default: all are played. */
  readonly until?: number;
  /**
   * Whether the target may die of them: then each that runs alone is waited for until a death can no longer be its doing,
   * before the next one begins; the same after all that are played side by side. Default false.
   */
  readonly watched?: boolean;
}

/** A failure, as it is put into words. */
export interface TellableFailure<F> {
  readonly check: { readonly id: string; readonly title: string };
  /** Distinguishes failures of one check, from 1. */
  readonly number: number;
  readonly finding: F;
  readonly sequence: readonly SavedStep[];
  /** Sequences that have to be played at the same time; none where it fails alone. */
  readonly beside: readonly (readonly SavedStep[])[];
  readonly rate: { readonly failed: number; readonly tries: number };
  /** Which sequence of the run it was. */
  readonly index: number;
}

/** The model, as far as a search asks it. */
export interface FuzzModel {
  readonly subject: 'receiver' | 'service';
  readonly requirements: readonly RequirementId[];
  readonly fatal: RequirementId;
  controlsProcess(step: FuzzStep): boolean;
  plainer?(step: FuzzStep): readonly FuzzStep[];
  describe(step: FuzzStep, before?: readonly FuzzStep[]): string;
}

/**
 * A target as a search sees it: sequences go in, and what came of them comes out.
 *
 * @typeParam F - what a failure is described by
 */
export interface FuzzTarget<F extends FuzzFound> {
  readonly model: FuzzModel;
  readonly contract: Contract;
  /** Whether it is under process control. */
  readonly hasProcessControl: boolean;
  /** How many lanes there are: sequences that are drawn for different ones have no events in common. */
  readonly lanes: number;
  /** Sequences of the first batch. */
  readonly first: number;
  /** Sequences that may be played side by side at most. */
  readonly most: number;
  /** Whether sequences that are played one after the other share their waits, so that many of them take little longer than one. */
  readonly sharesWaits: boolean;
  /** How often it died although nobody asked for it. */
  readonly deaths: number;
  /** Aborted when the run ends early. */
  readonly ended: AbortSignal;
  /** Why the run ended early; nothing while it goes on. */
  readonly endedBy: RunEnd | undefined;
  /** Whether it ended early because the target was lost: neither the user nor the time ended it. */
  readonly isLost: boolean;
  /** Whether a sequence is at work that uses process control: then it may be silent on purpose. */
  readonly isHeld: boolean;
  /** What was not given without which a requirement cannot be seen, and which option gives it; nothing where nothing is missing. */
  lacking(requirement: string): string | undefined;
  /** Whether it answers a plain request outside of all sequences. @param ms - how long that is awaited at most. Default: the time-out */
  answers(ms?: number): Promise<boolean>;
  /** Ends the run early. The first reason stays. */
  end(end: RunEnd): void;
  /** Milliseconds since the start of the run. */
  elapsed(): number;
  /** The kinds of steps. @param alone - for sequences that run alone, and may use process control */
  kinds(alone: boolean, lane: number): Kinds;
  /**
   * Plays sequences, each with fresh ids: side by side, or one after the other. The results are in their order.
   */
  play(sequences: readonly (readonly FuzzStep[])[], alone: boolean, how?: Playing): Promise<readonly Played<F>[]>;
  /** Waits until it has worked off what piled up. */
  recover(): Promise<void>;
  /** Forgets what was only needed while the sequences of a batch were at work. */
  forget(): void;
  /** Ends the run where the target is gone: then nothing that was not broken is known to hold. */
  conclude(): Promise<void>;
  /** Puts a failure into words, and keeps it in a file. */
  tell(failure: TellableFailure<F>): Counterexample;
}

/** The check of one requirement: it fails where a sequence breaks it. */
export interface FuzzCheck {
  /** `receiver/fuzz/idm-2` */
  readonly id: string;
  /** The requirement itself. */
  readonly title: string;
  readonly requirements: readonly [RequirementId];
}

/** What can be found broken under a contract, a check each. @param only - the requirements that are looked for. Default: all */
export function fuzzChecks(
  { subject, requirements, fatal }: Pick<FuzzModel, 'subject' | 'requirements' | 'fatal'>,
  contract: Contract,
  only?: readonly string[],
): readonly FuzzCheck[] {
  const required = new Set<string>(contract.requirements.map(({ id }) => id));
  const all = [...new Set([...requirements, fatal])].filter(
    (id) => required.has(id) && (only === undefined || only.includes(id)),
  );
  return all.map((id) => ({
    id: fuzzCheckId(subject, id),
    title: contract.requirement(id).statement,
    requirements: [id],
  }));
}

export function fuzzCheckId(subject: string, requirement: string): string {
  return `${subject}/fuzz/${requirement.toLowerCase()}`;
}

/** What right targets of each kind make of sequences. */
export interface FuzzModels {
  readonly receiver: ReceiverFuzzing;
  readonly service: ServiceFuzzing;
}

/** The models of the kit. */
export const fuzzModels: FuzzModels = { receiver: receiverModel, service: serviceModel };
