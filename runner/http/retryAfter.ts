import { isOverloaded } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import { statusClass } from '../../spec/statusClasses.ts';
import { headerValue } from '../../spec/headerText.ts';

/** How often and after which pauses a delivery that should be accepted is repeated: as a service would, but in seconds, not hours. */
export const retryPauses = {
  attempts: 7,
  /** Milliseconds before the first repetition; doubled each time. */
  first: 60,
  /** Milliseconds before a repetition at most, also where the target asks for more. */
  longest: 1500,
} as const;

/** Whether a target says that it failed, or can serve nobody at present (RFC 9110, section 15.6). */
export function isFailure(answer: Answer): boolean {
  return answer.kind === 'answered' && statusClass(answer.status) === 5;
}

/** Whether an answer may pass: an overloaded target's, or a network's. A time-out is tried only once more. */
export function isRetried(answer: Answer, tried: number): boolean {
  if (answer.kind === 'answered') return isOverloaded(answer);
  return answer.kind === 'broken' ? tried < 4 : tried < 2;
}

/** Milliseconds to wait before the next attempt: what the answer asks for, where that is longer than the usual pause. */
export function retryPauseAfter(answer: Answer, tried: number): number {
  const backoff = retryPauses.first * 2 ** (tried - 1);
  return Math.min(retryPauses.longest, Math.max(backoff, retryAfter(answer) ?? 0));
}

/**
 * Milliseconds that an answer asks to wait (RFC 9110, section 10.2.3): whole seconds, or a date. Nothing where it asks for
 * nothing that can be read, so that the usual pause is kept.
 */
export function retryAfter(answer: Answer): number | undefined {
  if (answer.kind !== 'answered') return undefined;
  const text = headerValue(answer.headers, 'Retry-After') ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms >= 0 ? ms : undefined;
}
