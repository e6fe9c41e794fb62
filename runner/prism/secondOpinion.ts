import { hash } from 'node:crypto';

import type { Contract, Operation } from '../../spec/contract.ts';
import type { Answer, Header } from '../../suites/delivery.ts';
import type { ApiRequest, Call } from '../../suites/exchange.ts';
import { judgeRequest, judgeResponse, type Complaint } from './judge.ts';
import { bodyValue, isJsonType, messageBody, type MessageBody, type PrismOperation } from './prismInput.ts';
import { prismOperations } from './prismOperations.ts';
import { messageOf } from '../../spec/messageOf.ts';
import { isSameName, mediaTypeIn } from '../../spec/headerText.ts';

/** A request or an answer about which the kit's own validator and Prism disagree. */
export interface Opinion {
  readonly operationId: string;
  readonly part: 'request' | 'response';
  readonly kit: Judgement['verdict'];
  readonly prism: Judgement['verdict'];
  /** What each of them complains of first, in words. */
  readonly detail: string;
}

/** What Prism says of one exchange beside what the kit's own validator says. */
export interface SecondOpinion {
  /**
   * Compares the two parts of a call; only those are returned about which the two disagree.
   *
   * What both judge is compared, as valid or not: media type and body, and the status of the answer. A request without a
   * body or without a media type that can be read, and a body that cannot be parsed or is very long, are judged by neither.
   * Never throws: a fault inside Prism is a disagreement that says so.
   */
  compare(call: Call): readonly Opinion[];
  /** Requests and answers that both have judged so far. */
  readonly compared: number;
}

/**
 * Bytes of the longest body that is compared. Prism names all that is wrong with a body: for a list of 180 KB that takes most
 * of a second, in which nobody is answered, and many times the memory. Shorter ones show as well where the two disagree.
 */
const longest = 64 * 1024;

/**
 * A second opinion on every call of a contract's API, from Prism's own reading of the contract's document.
 *
 * Calls are not routed: the operation is the one that the call names, also where an assumption has moved its path.
 *
 * @throws KitError where a schema does not compile in Prism
 * @example
 * const opinion = await createSecondOpinion(contract);
 * opinion.compare(call).map(({ detail }) => detail);
 */
export async function createSecondOpinion(contract: Contract): Promise<SecondOpinion> {
  const operations = (await prismOperations(contract)).map(bodiesAlone);
  const known = new Map<string, readonly Opinion[] | undefined>();
  let compared = 0;
  return {
    compare({ request, answer }) {
      const { operationId } = request;
      const own = contract.operations.find((each) => each.operationId === operationId);
      const theirs = operations.find(({ iid }) => iid === operationId);
      if (own === undefined || theirs === undefined) return [];
      const messages = [ofRequest(own, theirs, request), ofAnswer(own, theirs, answer)];
      const judged = messages.map((message) => message && once(known, message)).filter((each) => each !== undefined);
      compared += judged.length;
      return judged.flat();
    },
    get compared() {
      return compared;
    },
  };
}

/** Prism also judges security, headers and parameters, of which the kit's validator knows nothing. */
function bodiesAlone(operation: PrismOperation): PrismOperation {
  const { request } = operation;
  return {
    ...operation,
    security: [],
    request: request?.body === undefined ? {} : { body: request.body },
    responses: operation.responses.map((response) => ({ ...response, headers: [] })),
  };
}

/** A request or an answer that may be compared. */
interface Message {
  /** All that the judgements depend on: the operation, the part, the status, the media type, and the body last. */
  readonly named: readonly string[];
  /** Compares the two; nothing where the body cannot be read, which neither judges. */
  judge(): readonly Opinion[] | undefined;
}

/** Messages that are remembered. */
const mostKnown = 5000;

/** Half of all messages of a run were there before, such as refusals and lists: each is judged once. */
function once(known: Map<string, readonly Opinion[] | undefined>, message: Message): readonly Opinion[] | undefined {
  const key = hash('sha1', message.named.join('\n'));
  if (known.has(key)) return known.get(key);
  const opinions = message.judge();
  if (known.size < mostKnown) known.set(key, opinions);
  return opinions;
}

function ofRequest(own: Operation, theirs: PrismOperation, { headers, body: bytes }: ApiRequest): Message | undefined {
  if (bytes.length === 0 || bytes.length > longest || mediaTypeIn(headers) === '') return undefined;
  const text = bytes.toString('utf8');
  return {
    named: [own.operationId, 'request', mediaTypesIn(headers), text],
    judge() {
      const body = messageBody(text, mediaTypeIn(headers));
      if (body.kind === 'unreadable') return undefined;
      const seen = { method: own.method, path: '/', headers, body };
      return disagreement(own, 'request', kitOnRequest(own, seen), () => judgeRequest(theirs, seen));
    },
  };
}

function ofAnswer(own: Operation, theirs: PrismOperation, answer: Answer): Message | undefined {
  // What was not read to its end is judged by neither.
  if (answer.kind !== 'answered' || answer.cut !== undefined || answer.deep === true) return undefined;
  const { status, headers, body: text } = answer;
  if (text.length > longest) return undefined;
  return {
    named: [own.operationId, 'response', `${status}`, mediaTypesIn(headers), text],
    judge() {
      const body = messageBody(text, mediaTypeIn(headers));
      if (body.kind === 'unreadable') return undefined;
      const seen = { status, headers, body };
      return disagreement(own, 'response', kitOnResponse(own, seen), () => judgeResponse(theirs, seen));
    },
  };
}

/** No other header says anything of a body. */
function mediaTypesIn(headers: readonly Header[]): string {
  return headers.flatMap(([name, value]) => (isSameName(name, 'Content-Type') ? [value] : [])).join(', ');
}

function disagreement(
  { operationId }: Operation,
  part: Opinion['part'],
  kit: Judgement,
  ask: () => readonly Complaint[],
): readonly Opinion[] {
  const prism = prismJudgement(kit, ask);
  const agree = (kit.verdict === 'valid') === (prism.verdict === 'valid');
  if (agree && prism.failed !== true) return [];
  const detail = `the kit: ${kit.complaint}; Prism: ${prism.complaint}`;
  return [{ operationId, part, kit: kit.verdict, prism: prism.verdict, detail }];
}

/** A fault inside Prism never agrees with anybody, so that it is heard of. */
function prismJudgement(kit: Judgement, ask: () => readonly Complaint[]): Judgement & { readonly failed?: true } {
  try {
    const found = ask();
    const worst = found.find(({ kind }) => kind === 'undeclared') ?? found[0];
    if (worst === undefined) return { verdict: 'valid', complaint: 'nothing to complain of' };
    return { verdict: worst.kind, complaint: worst.what };
  } catch (error) {
    const complaint = `it failed (${messageOf(error)})`;
    return { verdict: kit.verdict === 'invalid' ? 'undeclared' : 'invalid', complaint, failed: true };
  }
}

/** What one of the two says of a request or an answer. */
interface Judgement {
  readonly verdict: 'valid' | 'invalid' | 'undeclared';
  /** What it complains of first. */
  readonly complaint: string;
}

interface Seen {
  readonly headers: readonly Header[];
  readonly body: MessageBody;
}

type Content = Operation['request'];

const fine: Judgement = { verdict: 'valid', complaint: 'nothing to complain of' };

/** What the contract's compiled schemas say of a request with a body. */
function kitOnRequest({ request }: Operation, message: Seen): Judgement {
  return onBody(request, message, 'a body that the operation does not take');
}

/** What they say of an answer. An answer whose media type the contract leaves open is valid. */
function kitOnResponse({ responses }: Operation, message: Seen & { readonly status: number }): Judgement {
  const content = responseFor(responses, message.status);
  if (content === undefined) {
    return undeclared(`status ${message.status}, where ${Object.keys(responses).join(', ')} are declared`);
  }
  return Object.keys(content).length === 0 ? fine : onBody(content, message, '');
}

/** The exact status, else its class (`4XX`), else what stands for all others. */
function responseFor(responses: Operation['responses'], status: number): Content | undefined {
  return responses[String(status)] ?? responses[`${String(status).slice(0, 1)}XX`] ?? responses['default'];
}

function onBody(content: Content, { headers, body }: Seen, ifNone: string): Judgement {
  const declared = Object.keys(content);
  if (declared.length === 0) return undeclared(ifNone);
  const mediaType = mediaTypeIn(headers);
  const schema = content[mediaType];
  if (schema === undefined) {
    return undeclared(`media type "${mediaType}", where ${declared.join(', ')} are declared`);
  }
  if (!isJsonType(mediaType)) return fine;
  if (schema.validate(bodyValue(body))) return fine;
  const { instancePath = '', message = 'is not valid' } = schema.validate.errors?.[0] ?? {};
  return { verdict: 'invalid', complaint: `body${instancePath} ${message}` };
}

function undeclared(complaint: string): Judgement {
  return { verdict: 'undeclared', complaint };
}
