import type { Operation } from '../../spec/contract.ts';
import type { Header } from '../../suites/delivery.ts';
import { isJsonType, mediaTypeOf } from './mediaType.ts';
import type { MessageBody } from './messageBody.ts';
import { bodyValue } from './messageBody.ts';

/** What one of the two says of a request or an answer. */
export interface Judgement {
  readonly verdict: 'valid' | 'invalid' | 'undeclared';
  /** What it complains of first. */
  readonly complaint: string;
}

interface Message {
  readonly headers: readonly Header[];
  readonly body: MessageBody;
}

type Content = Operation['request'];

const fine: Judgement = { verdict: 'valid', complaint: 'nothing to complain of' };

/** What the contract's compiled schemas say of a request with a body. */
export function kitOnRequest({ request }: Operation, message: Message): Judgement {
  return onBody(request, message, 'a body that the operation does not take');
}

/** What they say of an answer. An answer whose media type the contract leaves open is valid. */
export function kitOnResponse({ responses }: Operation, message: Message & { readonly status: number }): Judgement {
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

function onBody(content: Content, { headers, body }: Message, ifNone: string): Judgement {
  const declared = Object.keys(content);
  if (declared.length === 0) return undeclared(ifNone);
  const mediaType = mediaTypeOf(headers);
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
