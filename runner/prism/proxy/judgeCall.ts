import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import type prismRouter from '@stoplight/prism-http/dist/router/index.js';

import type { Contract } from '../../../spec/contract.ts';
import { statusClass } from '../../../spec/statusClasses.ts';
import type { Header } from '../../../suites/delivery.ts';
import { judgeRequest, judgeResponse, type Complaint } from '../judge.ts';
import { messageBody, type MessageBody, prismInput, type PrismOperation, prismPart } from '../prismInput.ts';
import { bodyLimit } from '../../http/listen.ts';
import { headerValue, mediaTypeIn } from '../../../spec/headerText.ts';

const router = prismPart<typeof prismRouter>('@stoplight/prism-http/dist/router/index.js');

/** A message as it went through; nothing stands for a body that was too long to be kept. */
interface Passed {
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
}

/** A request with its path below the base address; without that path it is no operation for sure. */
export interface PassedRequest extends Passed {
  readonly method: string;
  readonly path: string | undefined;
}

export interface PassedResponse extends Passed {
  readonly status: number;
}

/** What is known of a call by what Prism says of it. */
export type Judged = Pick<PassedCall, 'operationId' | 'gaps' | 'remarks'>;

/** Makes the function that lets Prism judge a call: the request, and the answer where there is one. */
export function createJudge(
  { operations: known }: Contract,
  operations: PrismOperation[],
): (request: PassedRequest, response: PassedResponse | undefined) => Judged {
  return (request, response) => {
    const operation = routed(operations, request);
    if (operation === undefined) return { operationId: '', gaps: [], remarks: [] };
    const own = known.find(({ operationId }) => operationId === operation.iid);
    return {
      operationId: operation.iid ?? '',
      gaps: own?.gaps ?? [],
      remarks: [...onRequest(operation, request), ...(response === undefined ? [] : onResponse(operation, response))],
    };
  };
}

function routed(operations: PrismOperation[], { method, path }: PassedRequest): PrismOperation | undefined {
  if (path === undefined) return undefined;
  const input = prismInput({ method, path, headers: [], body: { kind: 'empty' } });
  const found = router.default({ resources: operations, input });
  return found._tag === 'Right' ? found.right : undefined;
}

function onRequest(operation: PrismOperation, request: PassedRequest): readonly Remark[] {
  const { method, path = '/' } = request;
  return remarks('request', request, (message) => judgeRequest(operation, { method, path, ...message })).map(
    (remark) => ({ ...remark, counts: true }),
  );
}

/** The contract says little about refusals, and Prism only warns of their statuses: they count where they are declared. */
function onResponse(operation: PrismOperation, response: PassedResponse): readonly Remark[] {
  const { status } = response;
  const isSuccess = statusClass(status) === 2;
  return remarks('response', response, (message) => judgeResponse(operation, { status, ...message })).map(
    ({ kind, ...remark }) => ({ ...remark, counts: isSuccess || kind === 'invalid' }),
  );
}

type Message = { readonly headers: readonly Header[]; readonly body: MessageBody };

function remarks(part: Remark['part'], { headers, body }: Passed, judge: (message: Message) => readonly Complaint[]) {
  const text = body === undefined ? undefined : decodedBody(body, headers);
  const read = messageBody(text ?? '', mediaTypeIn(headers));
  const isOther = ({ where }: Complaint): boolean => text !== undefined || where[0] !== 'body';
  return asked(() => judge({ headers, body: read }))
    .filter(isOther)
    .map(({ kind, where, what }) => ({ kind, part, where: where.join('/'), what }));
}

/** Prism throws at a Content-Type that it cannot parse. */
function asked(judge: () => readonly Complaint[]): readonly Complaint[] {
  try {
    return judge();
  } catch (error) {
    return [{ kind: 'undeclared', where: ['prism'], what: `Prism failed: ${(error as Error).message}` }];
  }
}

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * The text of a body without its Content-Encoding, to be judged; the bytes that go on are not these.
 *
 * @returns nothing where it cannot be decoded
 */
function decodedBody(bytes: Buffer, headers: readonly Header[]): string | undefined {
  const encoding = (headerValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || bytes.length === 0) return bytes.toString('utf8');
  try {
    return decoders[encoding]?.(bytes, { maxOutputLength: bodyLimit }).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Something that Prism says of a call that went through the proxy. */
export interface Remark {
  readonly part: 'request' | 'response';
  /** The place: `body/data/type`, `query/page`, `security`, `status`. */
  readonly where: string;
  readonly what: string;
  /** What is only worth knowing is not counted: a refusal in a form that the contract does not declare. */
  readonly counts: boolean;
}

/** A call that went through the proxy. */
export interface PassedCall {
  readonly method: string;
  /** Below the proxy's base address where it is there, else whole; query included. */
  readonly path: string;
  /** Empty where no operation of the contract is like it. */
  readonly operationId: string;
  /** The gaps of the contract that leave something of the operation open. */
  readonly gaps: readonly string[];
  /** The status that the client got. */
  readonly status: number;
  readonly remarks: readonly Remark[];
  /** Why the target gave no answer, where it gave none. */
  readonly failure?: string;
}
