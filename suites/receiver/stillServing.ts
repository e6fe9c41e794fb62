import { describeAnswer, hasStatusClass } from '../answer.ts';
import { type Finding, Unproven } from '../check.ts';
import type { Answer, Attempt } from '../delivery.ts';
import { finding, type Point } from '../finding.ts';
import type { ReceiverKit } from '../kit.ts';
import { type EffectClaim, expectEffects } from './effect.ts';
import { attempt } from './expectation.ts';
import { unlikeBefore } from './unlikeBefore.ts';

/**
 * After a hostile case a plain delivery is still accepted, and takes effect; what the case itself claims about effects
 * is judged with it. The finding shows all that the case sent.
 */
export async function expectStillServing(
  kit: ReceiverKit,
  point: Point,
  ...claims: readonly EffectClaim[]
): Promise<Finding | undefined> {
  const hostile = [...kit.attempts];
  const plain = kit.compose(kit.control);
  const answer = await kit.deliverWithRetries(plain);
  const served = attempt(plain, answer);
  if (kit.accepts(answer)) {
    return expectEffects(kit, ...claims, { attempts: [served], claim: 'still once', point });
  }
  if (hasStatusClass(answer, 4) && (await isServedTheNextTime(kit, hostile)))
    throw new Unproven(
      'a plain delivery was refused after it, and accepted the next time: a ban or a limit may refuse all for a while',
    );
  if (hasStatusClass(answer, 5) && (await isRefusedForItsContent(kit)))
    throw new Unproven(
      'what the plain delivery says is refused, whatever came before it, and other content is accepted',
    );
  return finding(
    { ...point, hint: point.hint ?? (isTakenForAnother(answer) ? leftUnread : undefined) },
    {
      attempts: [...hostile, served],
      expected: 'a plain delivery is still accepted afterwards',
      actual: describeAnswer(answer),
      absence: true,
    },
  );
}

/** So often is a plain delivery refused, and one of other content accepted beside it: each may come to another process. */
const besideOthers = 2;

async function isRefusedForItsContent(kit: ReceiverKit): Promise<boolean> {
  for (let tried = 0; tried < besideOthers; tried++) {
    if (kit.accepts(await kit.deliver(kit.compose(kit.control)))) return false;
    if (!kit.accepts(await kit.deliver(kit.compose(unlikeBefore(kit, kit.control))))) return false;
  }
  return true;
}

/** Milliseconds for which a sender of much that is refused may be kept out. */
const longestBan = 15_000;

/** Whether the same case leaves everybody served once a ban has ended that all refused requests together have earned. */
async function isServedTheNextTime(kit: ReceiverKit, hostile: readonly Attempt[]): Promise<boolean> {
  if (!kit.accepts(await kit.deliverWithRetries(kit.compose(kit.control), longestBan))) return false;
  for (const { delivery } of hostile) await kit.deliver(delivery);
  return kit.accepts(await kit.deliverWithRetries(kit.compose(kit.control)));
}

/** Statuses of a server that knows no such method, or no such version of HTTP: bytes of a body are neither. */
const unknown = [501, 505];

function isTakenForAnother(answer: Answer): boolean {
  return hasStatusClass(answer, 4) || (answer.kind === 'answered' && unknown.includes(answer.status));
}

/** It came over another connection, but a proxy in front may have sent both over one. */
const leftUnread =
  'What was refused before makes the next delivery fail. Its body may have been left on the connection, where it was taken for the ' +
  'beginning of this one: read the body of what you refuse, or answer with "Connection: close". A proxy in front of the receiver ' +
  'sends the requests of many clients over one connection.';
