import type { Slot } from '../steps.ts';
import type { ServiceModelState } from '../serviceModelState.ts';

/** What a sequence needs to know of itself to tell whether a step makes sense. */
export interface Known {
  /** Names of webhooks that are there. */
  readonly taken: Set<Slot>;
  /** Whether updates and deletions seem not to be offered where they are assumed (GAP-9, GAP-13). */
  readonly missing: Set<'update' | 'remove'>;
}

/** How a kind of step is played. */
export interface Play<Step> {
  /** Whether it makes sense as things stand; else it does nothing. */
  can(known: Known, step: Step): boolean;
  /** Does it, and writes down what was done. @throws Unproven where the service gives no answer */
  play(modelState: ServiceModelState, step: Step, known: Known): Promise<void>;
}
