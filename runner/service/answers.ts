import { type Json, isJsonObject } from '../../generators/json/json.ts';
import { parseJson } from '../../spec/parseJson.ts';
import { describeAnswer, hasStatusClass, unread } from '../../suites/answer.ts';
import { type ServiceFinding, Unobservable } from '../../suites/check.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Call, Exchange } from '../../suites/exchange.ts';
import { mediaTypeIn } from '../../spec/headerText.ts';

/** The answer's body as JSON; nothing where it is none, or was not read to its end. */
export function jsonOf({ answer }: Call): Json | undefined {
  if (answer.kind !== 'answered' || answer.cut !== undefined || answer.deep === true) return undefined;
  return parsed(answer.body, Infinity);
}

/**
 * The same for one who judges it. Values that nest too deeply are none that a client reads (RFC 8259, section 9).
 *
 * @throws Unobservable where it was not read to its end
 */
export function judgedJson(call: Call): Json | undefined {
  const { answer, request } = call;
  if (answer.kind === 'answered' && answer.cut !== undefined)
    throw new Unobservable(`the answer to ${request.method} ${request.path} was not judged${unread(answer)}`);
  return jsonOf(call);
}

/** A text as JSON; nothing where it is none, or nests deeper than that. */
export function parsed(text: string, depth?: number): Json | undefined {
  try {
    return parseJson(text, depth) as Json;
  } catch {
    return undefined;
  }
}

/** The media type of the answer without parameters, in lower case; empty where there is none. */
export function mediaTypeOf({ answer }: Call): string {
  return answer.kind === 'answered' ? mediaTypeIn(answer.headers) : '';
}

/** Whether the answer is a success. */
export function isSuccess({ answer }: Call): boolean {
  return hasStatusClass(answer, 2);
}

/** Whether an operation at an assumed path seems not to be offered. */
export function isMissing({ answer }: Call): boolean {
  return answer.kind === 'answered' && [404, 405, 501].includes(answer.status);
}

/** Characters of an answer that a report shows. */
const shown = 64 * 1024;

/** An answer as a report shows it: so much of it is kept once it was judged. */
export function shownAnswer(answer: Answer): Answer {
  if (answer.kind !== 'answered' || answer.body.length <= shown) return answer;
  // A part of a string would hold all of it in memory.
  return { ...answer, body: Buffer.from(answer.body.slice(0, shown)).toString() };
}

/** A finding with as much of its exchanges as a report shows: many cases may fail, and their answers be long. */
export function shownFinding(whole: ServiceFinding): ServiceFinding {
  const short = (exchange: Exchange): Exchange =>
    exchange.kind === 'call' ? { ...exchange, answer: shownAnswer(exchange.answer) } : exchange;
  const { exchanges, twin } = whole;
  return { ...whole, exchanges: exchanges.map(short), ...(twin && { twin: short(twin) }) };
}

/** Why a case shows nothing: a call of it had no answer. */
export function noAnswerTo({ method, path }: Call['request'], answer: Answer): string {
  return `${method} ${path}: ${describeAnswer(answer)}`;
}

/** Characters that are said of the shape of a body at most: its names are the service's own. */
const longest = 300;

/** What kind of body an answer has, in a few words: `application/json: an object with errors`. */
export function bodyShape(call: Call, body: string): string {
  if (body.trim() === '') return 'no body';
  const type = mediaTypeOf(call) || 'no media type';
  const value = jsonOf(call);
  const shape = `${type}: ${value === undefined ? 'text' : describe(value)}`;
  return shape.length > longest ? `${shape.slice(0, longest)}… (${shape.length} characters)` : shape;
}

function describe(value: Json): string {
  if (isJsonObject(value)) return `an object with ${Object.keys(value).toSorted().slice(0, 6).join(', ') || 'nothing'}`;
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
