import { STATUS_CODES } from 'node:http';

import type { MadeAttempt } from '../../reference/service/records.ts';
import { duration } from '../../reports/text/amount.ts';

/**
 * An attempt of the sandbox in a line.
 *
 * @param now - milliseconds since 1970
 * @example
 * '14:03:12  container.created  attempt 1  500 Internal Server Error, again in 1.0 s  http://localhost:3000/hooks'
 */
export function attemptLine({ event, url, number, outcome, retryAt }: MadeAttempt, now: number): string {
  const again = retryAt === undefined ? '' : `, again in ${duration(Math.max(0, retryAt - now))}`;
  return [timeOf(now), event, `attempt ${number}`, `${outcomeText(outcome)}${again}`, url].join('  ');
}

function outcomeText(outcome: MadeAttempt['outcome']): string {
  switch (outcome.kind) {
    case 'answered':
      return `${outcome.status} ${STATUS_CODES[outcome.status] ?? ''}`.trim();
    case 'timed-out':
      return 'no answer in time';
    case 'broken':
      return `no answer (${outcome.code})`;
  }
}

function timeOf(now: number): string {
  return new Date(now).toTimeString().slice(0, 8);
}
