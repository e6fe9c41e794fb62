import { duration } from '../../../reports/text/amount.ts';
import type { SpokenAnswer } from '../pageData.ts';

/** The time of day. */
export function timeOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** An answer and how long it took: `503 after 3 ms`. */
export function answerWords({ words, ms }: SpokenAnswer): string {
  return `${words} after ${duration(ms)}`;
}

/** The part of a delivery that a check is about. */
export function partOf(check: string): string {
  const [, topic = '', name = ''] = check.split('/');
  return topic === 'notification' ? name : topic;
}
