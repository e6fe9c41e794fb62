import { valueAt } from '../../generators/json/jsonPointer.ts';
import type { Json } from '../../generators/json/json.ts';
import { hasTimestamp, keyText, type SignatureScheme } from '../../spec/signatureScheme.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { Answer, Attempt, Delivery } from '../../suites/delivery.ts';
import type { BodySpelling } from '../../suites/kit.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import { isPage, mayBeElsewhere } from '../http/noAnswer.ts';
import type { ReceiverPlan } from './plan.ts';
import type { SignatureReading } from './signatureReadings.ts';
import { headerValue } from '../../spec/headerText.ts';

/** Statuses by which receivers refuse what a body says or how it is labelled, rather than who sent it. */
const contentStatuses: ReadonlySet<number> = new Set([400, 415, 422]);

/** Whether an answer may mean that the receiver took the signature for genuine, and refused the content. */
export function mayRefuseContent(answer: Answer): boolean {
  return answer.kind === 'answered' && contentStatuses.has(answer.status);
}

/** What of that which the user gave may be wrong, by the status with which plain deliveries were refused. */
export function suspectOf({ secrets }: Pick<ReceiverPlan, 'secrets'>, status: number): string {
  if (mayBeElsewhere(status)) return 'The address may be wrong';
  const failed = status >= 500 ? 'The receiver fails, or the' : 'The';
  if (secrets.length === 0) return `${failed} secret is missing`;
  if (status === 401) return 'The secret may be wrong';
  if (status === 403) return 'The secret or the sender address may be wrong';
  return contentStatuses.has(status)
    ? 'The secret may be wrong, or the contract may be another'
    : `${failed} address, the secret or the contract may be wrong`;
}

/** What to look at where no plain delivery was accepted. @param attempt - the first of those that were refused */
export function refusalAdvice(
  { contract, secrets, scheme }: Pick<ReceiverPlan, 'contract' | 'secrets' | 'scheme'>,
  { delivery, answer }: Attempt,
): string {
  const unsigned =
    'No secret was given, so the delivery was not signed: give --secret (or SEAWORTHY_SECRET, which counts only if it is not empty).';
  const elsewhere = answer.kind === 'answered' && mayBeElsewhere(answer.status);
  const first = elsewhere ? 'the path of the URL, --secret' : '--secret, the path of the URL';
  const usual = `Check ${first}, --events, and --contract; if the receiver expects another signature, see seaworthy requirements --assumptions.${hasTimestamp(scheme) ? clock : ''}${hasStatusClass(answer, 4) && !elsewhere && isPage(answer) ? page : ''}`;
  const misfit = misfitOf(scheme, secrets);
  const advice = secrets.length === 0 ? unsigned : misfit === '' ? usual : `${misfit} ${usual}`;
  if (hasStatusClass(answer, 5))
    return `With this status a receiver says that it failed, or is not ready: its log may say of what. ${advice}`;
  if (!mayRefuseContent(answer)) return advice;
  return (
    `With this status receivers often refuse the content, so that the signature may have been right. It was ` +
    `${contentOf(contract, delivery)}. The receiver's log may say what was missing. ${advice}`
  );
}

const clock =
  ' The signed timestamp was the time of sending: see whether the clock of the receiver is right, and in which unit it counts the tolerance.';

const page =
  ' It answered with an HTML page, so something before your code may have refused: a protection against CSRF, a login, a list of host ' +
  'names, a firewall. Make an exception there for this path.';

/** What to look at where a delivery was accepted that was signed as the receiver may read the secret or the contract. */
export function readingAdvice({ words, of }: SignatureReading): string {
  const seen = `A delivery that was signed ${words} was accepted: the receiver and ${of} differ in that alone.`;
  if (of === 'the contract')
    return `${seen} Correct the receiver, unless the provider signs like that: then correct --contract, or give --assume signature.scheme.`;
  return `${seen} See how the receiver reads its secret: a file usually ends in a line end, and a setting may keep its quotation marks.`;
}

/** The end of a search in a receiver that accepts bodies which are written in one way, and no plain ones. */
export function otherwiseWritten({ words }: BodySpelling): RunEnd {
  return {
    reason: `the signature is not verified over the raw body: a body is accepted ${words}, and no plain one`,
    advice:
      'Compute the signature over the bytes as they arrived, before anything parses them. seaworthy receiver shows it with a case, and a ' +
      'search needs plain deliveries that are accepted.',
  };
}

/** Where no secret stands for bytes as the contract says it does: that its text is the key. Empty otherwise. */
export function misfitOf({ key }: Pick<SignatureScheme, 'key'>, secrets: readonly string[]): string {
  if (secrets.every((secret) => keyText(key, secret)[1] === key.encoding)) return '';
  const encoding = key.encoding === 'base64' ? 'base64 (with its padding)' : key.encoding;
  return `By the contract the secret is a key in ${encoding}, and what was given is not, so its text was the key.`;
}

/** What a receiver may have refused: event, media type, creation time. */
function contentOf({ delivery: { members } }: ReceiverPlan['contract'], { event, headers, body }: Delivery): string {
  const value = JSON.parse(body.toString()) as Json;
  const mediaType = headerValue(headers, 'Content-Type') ?? 'none';
  const shown = (words: string, pointer: string | undefined): readonly string[] =>
    pointer === undefined ? [] : [`${words} ${JSON.stringify(valueAt(value, pointer))}`];
  const status = [...shown('with the delivery status', members.status), `${body.length} bytes in all`].join(' and ');
  return [`the event ${event} as ${mediaType}`, ...shown('created at', members.createdAt), status].join(', ');
}
