import type { AssumptionKey } from '../spec/names.ts';
import { sizeText } from '../spec/units.ts';
import { isListedStatus, statusClass } from '../spec/statusClasses.ts';
import type { Answer } from './delivery.ts';
import type { Call } from './exchange.ts';
import type { ServiceKit } from './serviceKit.ts';
import { unreadable, unreached } from './unreached.ts';

// An import would read every export, and `WebSocket` among them loads an HTTP client of its own: 40 ms of CPU at each start.
// eslint-disable-next-line no-restricted-globals -- a table, and no way out
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** An answer in a few words: `401 Unauthorized`, `no answer: the connection was closed (ECONNRESET)`, `no answer within 10 s`. */
export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim() + unread(answer);
    case 'broken':
      return answer.status === undefined
        ? brokenText(answer.code)
        : `no whole answer: the status ${answer.status} came, and ${brokenBody(answer.code)} (${answer.code})`;
    case 'timed-out':
      if (answer.status === undefined) return `no answer within ${seconds(answer.ms)}`;
      return answer.cut === undefined
        ? `no whole answer within ${seconds(answer.ms)}: the status ${answer.status} came, and the body after it did not end`
        : `no whole answer: the status ${answer.status} came, and the body after it had not ended after ${sizeText(answer.cut)}`;
  }
}

/** What is wrong with a body whose head can be read, in words. */
function brokenBody(code: string): string {
  return code === 'NOT_HTTP'
    ? 'the body after it is no HTTP/1.1'
    : 'the connection was closed within the body after it';
}

/** How to put right an answer whose status came, and whose body is not whole. */
export const endTheAnswer =
  'End the answer: close the response, send as many bytes as its Content-Length says, or the last chunk. A sender takes ' +
  'an answer that does not end for a failure, and delivers again.';

function brokenText(code: string): string {
  // A connection that was closed in good order has no code of the system to show.
  if (code === 'CLOSED') return 'no answer: the connection was closed';
  const came = unreadable(code);
  if (came !== undefined) return `no answer but ${came} (${code})`;
  return `no answer: ${unreached(code) ?? 'the connection was closed'} (${code})`;
}

/** What came behind the end of an answer, in words; nothing where nothing did. */
export function surplusOf(answer: Answer): string | undefined {
  if (answer.kind !== 'answered' || answer.surplus === undefined) return undefined;
  const { length } = answer.surplus;
  return `${length === 1 ? 'a byte' : `${length} bytes`} behind its end: ${JSON.stringify(answer.surplus.slice(0, 40))}${length > 40 ? '...' : ''}`;
}

/** What was not read of an answer, and which option lets more be read; empty where all of it was. */
export function unread({ cut, deep }: { readonly cut?: number; readonly deep?: true }): string {
  if (cut !== undefined) return `, cut off after ${sizeText(cut)} (--max-answer)`;
  return deep === true ? ', whose values nest deeper than is read (--max-depth)' : '';
}

/** True where the answer has this class of status (4 for 4xx). */
export function hasStatusClass(answer: Answer, hundreds: number): boolean {
  return answer.kind === 'answered' && statusClass(answer.status) === hundreds;
}

/** Whether a target says that it has too much to do (RFC 6585, 9110), which passes: that refuses nothing that was sent. */
export function isOverloaded(answer: Answer): boolean {
  return answer.kind === 'answered' && (answer.status === 429 || answer.status === 503);
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** Whether an answer has one of the statuses that an assumption lists: `4xx`, `200,202`. */
export function isAmong(kit: Pick<ServiceKit, 'assumption'>, { answer }: Call, key: AssumptionKey): boolean {
  return answer.kind === 'answered' && isListedStatus(kit.assumption(key), answer.status);
}
