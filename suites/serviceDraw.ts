import type { TrackedNumber } from './service/trackingBody.ts';
import type { Contract } from '../spec/contract.ts';
import type { ServiceTerms } from '../spec/serviceTerms.ts';

/** What a check of a service draws its cases from. */
export interface ServiceDraw {
  readonly contract: Contract;
  readonly terms: ServiceTerms;
  /** Names of the events that the kit can make happen; empty where it can make none happen. */
  readonly events: readonly string[];
  /** Numbers that the service finds; empty where none was given. */
  readonly trackable: readonly TrackedNumber[];
  /** Numbers that it does not find. */
  readonly untrackable: readonly TrackedNumber[];
  /** The number of calls that the user lets the kit have in flight. */
  readonly concurrency: number;
  readonly intensity: 'quick' | 'standard' | 'thorough';
}
