import type { ServiceTerms } from '../../spec/contract.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import type { TrackedNumber } from '../../suites/service/trackingBody.ts';
import type { RunPlan } from '../engine/plan.ts';

/** Makes the service raise one event. @param event - its name in the catalogue */
export type EmitEvent = (event: string) => unknown;
/** How much of what a service answers is read. What is more is cut off, and said to be. */
export interface AnswerBounds {
  /** Of one answer's body; of the pages of one list together {@link pagesTogether} times as many. */
  readonly bytes: number;
  /** Levels of lists and objects within each other. */
  readonly depth: number;
  /** Of one list, over all its pages. */
  readonly entries: number;
  /** Of one list. */
  readonly pages: number;
}

/** Everything that a run of the service suite depends on. */
export interface ServicePlan extends RunPlan<ServiceCheck> {
  readonly terms: ServiceTerms;
  /** Without a slash at its end. */
  readonly base: URL;
  /** The address as it was given: a user and a password in it are not sent, and are secret. */
  readonly named: string;
  /** The API key; empty where none was given. */
  readonly token: string;
  readonly trackable: readonly TrackedNumber[];
  readonly untrackable: readonly TrackedNumber[];
  /** A URL, a shell command that gets EVENT in its environment, or a function that gets the event. */
  readonly emit?: string | EmitEvent;
  /** Where the service reaches the catcher; default: where it listens. */
  readonly catcher?: URL;
  /** Default: loopback, a free port. */
  readonly catcherListen?: { readonly host: string; readonly port: number };
  /** What the service calls the machine of the kit; default: as where the catcher listens. */
  readonly catcherHost?: string;
  /** Where the certificate authority of an https catcher is kept. */
  readonly authorityDirectory: string;
  readonly bounds: AnswerBounds;
  /** Milliseconds that the retries of a notification are waited for. */
  readonly retryWindow: number;
  /** Whether another judge looks at every call as well, which takes a third of the kit's own time. */
  readonly secondOpinion: boolean;
}
