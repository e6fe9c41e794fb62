import { STATUS_CODES } from 'node:http';

import type { Answer } from './delivery.ts';

/** An answer in a few words: `401 Unauthorized`, `no answer: the connection was closed (ECONNRESET)`, `no answer within 10 s`. */
export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim();
    case 'broken':
      return `no answer: ${unreached(answer.code) ?? 'the connection was closed'} (${answer.code})`;
    case 'timed-out':
      return `no answer within ${seconds(answer.ms)}`;
  }
}

/** True where the answer has this class of status (4 for 4xx). */
export function hasStatusClass(answer: Answer, hundreds: number): boolean {
  return answer.kind === 'answered' && Math.floor(answer.status / 100) === hundreds;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing takes connections there',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host could not be looked up',
  EHOSTUNREACH: 'no way leads to its host',
  ADDRESS_REFUSED: 'the address is not one that may be connected to',
  ENETUNREACH: 'no way leads to its network',
};

/**
 * Why no connection came about, in words; nothing where there was one, and it broke.
 *
 * @example unreached('ECONNREFUSED') // 'nothing takes connections there'
 */
export function unreached(code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
