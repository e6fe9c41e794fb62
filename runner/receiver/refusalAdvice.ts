import { valueAt } from '../../generators/json/jsonPointer.ts';
import type { Json } from '../../generators/json/json.ts';
import type { Answer, Attempt, Delivery } from '../../suites/delivery.ts';
import type { ReceiverPlan } from './plan.ts';

/** Statuses by which receivers refuse what a body says or how it is labelled, rather than who sent it. */
const contentStatuses: ReadonlySet<number> = new Set([400, 415, 422]);

/** Whether an answer may mean that the receiver took the signature for genuine, and refused the content. */
export function mayRefuseContent(answer: Answer): boolean {
  return answer.kind === 'answered' && contentStatuses.has(answer.status);
}

/** What to look at where no plain delivery was accepted. @param attempt - the first of those that were refused */
export function refusalAdvice(
  { contract, secrets }: Pick<ReceiverPlan, 'contract' | 'secrets'>,
  { delivery, answer }: Attempt,
): string {
  const unsigned = 'No secret was given, so the delivery was not signed: give --secret (or SEAWORTHY_SECRET).';
  const usual =
    'Check --secret, the path of the URL, and --events; if the receiver expects another signature, see seaworthy requirements --assumptions.';
  const advice = secrets.length === 0 ? unsigned : usual;
  if (!mayRefuseContent(answer)) return advice;
  return (
    `With this status receivers often refuse the content, so that the signature may have been right. It was ` +
    `${contentOf(contract, delivery)}. The receiver's log may say what was missing. ${advice}`
  );
}

/** What a receiver may have refused: event, media type, creation time. */
function contentOf({ delivery: { members } }: ReceiverPlan['contract'], { event, headers, body }: Delivery): string {
  const value = JSON.parse(body.toString()) as Json;
  const [, mediaType = 'none'] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const created = valueAt(value, members.createdAt);
  const status = valueAt(value, members.status);
  return (
    `the event ${event} as ${mediaType}, created at ${JSON.stringify(created)}, with the delivery status ` +
    `${JSON.stringify(status)} and ${body.length} bytes in all`
  );
}
