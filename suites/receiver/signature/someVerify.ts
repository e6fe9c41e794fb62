import type { Notification } from '../../../generators/notification/notification.ts';
import type { Finding } from '../../check.ts';
import type { Answer } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { describeForgery } from '../describeForgery.ts';
import { forge, type Forgery, plainForgeries } from '../forgery.ts';
import { overOwnConnection } from '../onWire.ts';

/** Further forgeries that are sent, so that each of two processes gets one. */
const further = 5;

const notAllVerify =
  'Of forgeries that differ only in their ids, some were accepted and some refused. Where several processes or machines take ' +
  'the deliveries, not all of them verify: give each the same version and the same secret, and start all of them anew. ' +
  'In a single process, look for a verdict that is kept outside the request.';

/**
 * The finding that a plain forgery was accepted, in words that fit where others like it are refused: then who took it decides,
 * and nothing that the delivery has.
 */
export async function asSomeVerify(
  kit: ReceiverKit,
  notification: Notification,
  forgery: Forgery,
  found: Finding,
): Promise<Finding> {
  if (!plainForgeries.some(({ kind }) => kind === forgery.kind)) return found;
  // At the same time: where several cases send one after the other, each of them may always meet the same process.
  const others = Array.from({ length: further }, () =>
    overOwnConnection(forge(kit, kit.compose(notification), forgery)),
  );
  // What was seen stands, also where the receiver dies of it meanwhile and the run ends.
  const answers = await kit.together(others).catch((): readonly Answer[] => []);
  const accepted = answers.filter((answer) => kit.accepts(answer)).length;
  const refused = answers.filter((answer) => isRefusal(kit, answer)).length;
  if (accepted === 0 || refused === 0) return found;
  const actual = `${found.actual}; of ${further} more like it, ${accepted} ${accepted === 1 ? 'was' : 'were'} accepted and ${refused} refused`;
  return { ...found, difference: describeForgery(forgery), actual, hint: notAllVerify };
}

function isRefusal(kit: ReceiverKit, answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status < 500 && !kit.accepts(answer);
}
