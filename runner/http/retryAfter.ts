import type { Answer } from '../../suites/delivery.ts';

/**
 * Milliseconds that an answer asks to wait (RFC 9110, section 10.2.3): whole seconds, or a date. Nothing where it asks for
 * nothing that can be read, so that the usual pause is kept.
 */
export function retryAfter(answer: Answer): number | undefined {
  if (answer.kind !== 'answered') return undefined;
  const text = answer.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms >= 0 ? ms : undefined;
}
