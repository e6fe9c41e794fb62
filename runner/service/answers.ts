import type { Json } from '../../generators/json/json.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { Call } from '../../suites/exchange.ts';

/** The answer's body as JSON; nothing where it is none. */
export function jsonOf({ answer }: Call): Json | undefined {
  return answer.kind === 'answered' ? parsed(answer.body) : undefined;
}

/** A text as JSON; nothing where it is none. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The media type of the answer without parameters, in lower case; empty where there is none. */
export function mediaTypeOf({ answer }: Call): string {
  if (answer.kind !== 'answered') return '';
  const value = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

/** Whether the answer is a success. */
export function isSuccess({ answer }: Call): boolean {
  return hasStatusClass(answer, 2);
}

/** Whether an operation at an assumed path seems not to be offered. */
export function isMissing({ answer }: Call): boolean {
  return answer.kind === 'answered' && [404, 405, 501].includes(answer.status);
}
