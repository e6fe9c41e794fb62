import { hash } from 'node:crypto';

import type { Delivery, Answer } from '../../suites/delivery.ts';
import type { ShortAnswer } from '../../reports/model/events.ts';

/**
 * A short text that is the same for requests which go over the wire in the same bytes: a journal tells by it which of them
 * were equal.
 *
 * @param line - the method and the path, as far as they differ between the requests of one run
 */
export function requestDigest(
  line: string,
  { headers, wire, body }: Pick<Delivery, 'headers' | 'body'> & Partial<Pick<Delivery, 'wire'>>,
): string {
  // Of the body on its own: bodies of many mebibytes are not copied for it.
  const text = `${line}${JSON.stringify([headers, wire])}${hash('sha1', body)}`;
  return hash('sha1', text, 'base64url').slice(0, 12);
}

/** An answer as the journal keeps it: without its headers and its body. */
export function shortAnswer(answer: Answer): ShortAnswer {
  const ms = Number(answer.ms.toFixed(2));
  switch (answer.kind) {
    case 'answered':
      return { kind: answer.kind, status: answer.status, ms };
    case 'broken':
      return { kind: answer.kind, code: answer.code, ms };
    case 'timed-out':
      return { kind: answer.kind, ms };
  }
}
