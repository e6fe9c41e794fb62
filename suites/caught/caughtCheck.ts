import type { ContractPart } from '../../spec/contractParts.ts';
import type { RequirementId } from '../../spec/names.ts';
import type { SignatureScheme } from '../../spec/signature.ts';
import type { Caught, DeliveryReader } from '../exchange.ts';

/** What checks of caught deliveries ask: nothing of it sends or waits. */
export interface CaughtKit extends DeliveryReader {
  /** How deliveries are signed, and the header that carries the signature. */
  readonly signing: { readonly scheme: SignatureScheme; readonly header: string };
  /** The secrets under which a delivery may be signed: any of them will do. */
  readonly secrets: readonly string[];
  /** Milliseconds that lie between the attempts of a notification, the last one for all that follow; empty where nobody says. */
  readonly schedule: readonly number[];
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A delivery that was caught, and what came before it. */
export interface SeenDelivery {
  readonly caught: Caught;
  /** The attempts of the same notification that arrived before it, in order. Empty for a first one. */
  readonly earlier: readonly Caught[];
  /** A delivery of before that differs from this one in its id alone, where there is one. */
  readonly alike?: Caught | undefined;
}

/** What a delivery should have been, and what it is. */
export interface Differing {
  readonly expected: string;
  readonly actual: string;
  /** Those of the check's requirements that it breaks. Default: all. */
  readonly requirements?: readonly RequirementId[];
}

/** What a check says of a delivery: it is right, it differs, or the check asks nothing of it. */
export type Judged = 'right' | 'not asked' | Differing;

/**
 * What can be said of one delivery that came by itself, as data and one `judge`. Nobody made it come, so that a check says
 * nothing of what did not.
 */
export interface CaughtCheck {
  /** `caught/<topic>/<name>`; never changes. */
  readonly id: string;
  /** What a service does that passes, to follow "it". */
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  /** What a contract must have for the check to mean something. Default: nothing special. */
  readonly about?: readonly ContractPart[];
  /** True where the contract leaves open what is judged: then it is only noted. Default false. */
  readonly noted?: true;
  /** True where nothing but its requirements forbids it: under a contract that has none of them it is only noted. Default false. */
  readonly asRequired?: true;
  /** How services usually get this wrong, and how to fix it. */
  readonly hint: string;
  judge(kit: CaughtKit, seen: SeenDelivery): Judged;
}
