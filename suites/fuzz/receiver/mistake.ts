import type { Finding } from '../../check.ts';
import type { Caused } from '../fuzzing.ts';

/** Thrown by a step, or by the judgement at the end, where the receiver did what no right receiver does. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly finding: Finding & Caused;

  constructor(finding: Finding, cause: Cause) {
    super(`${finding.requirements[0]}: ${finding.actual}`);
    this.finding = { ...finding, cause };
  }
}

/**
 * What sort of mistake it is:
 *
 * - `lost`: acknowledged, and no effect
 * - `twice`: more than one effect
 * - `refused`: a genuine delivery was not accepted, or nobody answered it
 * - `unanswered`: a redelivery had no answer at first
 * - `accepted`: what had to be refused was accepted
 * - `took effect`: what had to be refused took effect
 * - `failed`: it was refused in a way that says that the receiver failed
 * - `gone`: the receiver takes nothing any more
 */
export type Cause = 'lost' | 'twice' | 'refused' | 'unanswered' | 'accepted' | 'took effect' | 'failed' | 'gone';
