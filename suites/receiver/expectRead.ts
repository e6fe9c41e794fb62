import { type Finding, Unproven } from '../check.ts';
import { describeAnswer } from '../answer.ts';
import type { Answer, Delivery } from '../delivery.ts';
import type { Point } from '../finding.ts';
import type { ReceiverKit } from '../kit.ts';
import { expectAccepted } from './expectation.ts';
import { forge, plainForgery } from './forgery.ts';

/**
 * The delivery must be accepted, whatever it says: what is refused for its content is a finding.
 *
 * @throws Unproven where it was refused for its signature: that is the matter of other checks (VRF-1)
 */
export async function expectRead(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  const found = await expectAccepted(kit, delivery, point);
  await demandRead(kit, found);
  return found;
}

/** @throws Unproven where what was found refused was refused for its signature */
export async function demandRead(kit: ReceiverKit, found: Pick<Finding, 'attempts'> | undefined): Promise<void> {
  const refused = found?.attempts.at(-1);
  if (refused === undefined || !(await isRefusedAsForged(kit, refused.answer))) return;
  throw new Unproven(
    `${describeAnswer(refused.answer)}, as to a forged delivery, and not to one that cannot be read: the right signature was refused (VRF-1), not what the body says`,
    { doubts: ['VRF-1'] },
  );
}

/** No JSON, and JSON that is no notification: what verifies the JSON that it writes anew takes no other signature for right. */
const unreadable = [
  { bodies: ['{', '{ ', '{  '], mayBeTaken: true },
  { bodies: ['{"a":1}', '{"a":2}'], mayBeTaken: false },
];

/**
 * Whether an answer is the one to a forgery, and not the one to what is signed and no notification. The forgery has plain content:
 * what is refused for its size, say, is refused so without a look at its signature.
 */
export async function isRefusedAsForged(kit: ReceiverKit, answer: Answer): Promise<boolean> {
  if (kit.secrets.length === 0 || answer.kind !== 'answered') return false;
  const plain = () => kit.compose(kit.control);
  const forged = await kit.deliver(forge(kit, plain(), plainForgery));
  if (!isSame(forged, answer)) return false;
  // What refuses right signatures by chance refuses that one so as well; and a digest that is refused is refused again.
  for (const { bodies, mayBeTaken } of unreadable)
    for (const body of bodies) {
      const unread = await kit.deliver(kit.withBody(plain(), Buffer.from(body)));
      // What takes all JSON may refuse every notification that it cannot read as it refuses a forgery.
      if (!isSame(unread, answer) && (mayBeTaken || !kit.accepts(unread))) return true;
    }
  return false;
}

function isSame(one: Answer, other: Answer): boolean {
  return one.kind === 'answered' && other.kind === 'answered' && one.status === other.status;
}
