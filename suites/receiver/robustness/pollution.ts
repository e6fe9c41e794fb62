import { describeAnswer, hasStatusClass } from '../../answer.ts';
import type { Finding } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { delivered, deliveredWithRetries } from '../expectation.ts';
import { spoilt } from '../spoiling.ts';
import { expectAnswered } from './hostile.ts';

/** So often is a body without an id sent before and after: one that is refused by chance need not be the next time. */
const times = 4;

/**
 * Sends what is read from every other body, where it ends up on a prototype that all objects share: a body without an id, which
 * was refused before, is then accepted. One that was accepted before shows nothing.
 */
export async function expectUnpolluted(
  kit: ReceiverKit,
  delivery: Delivery,
  difference: string,
  how?: Parameters<typeof expectAnswered>[3],
): Promise<Finding | undefined> {
  const before = await withoutId(kit, true);
  if (before.length > 0 && before.every(({ answer }) => hasStatusClass(answer, 4))) {
    const sent = await delivered(kit, delivery);
    const after = await withoutId(kit);
    if (after.every(({ answer }) => kit.accepts(answer))) return pollutedBy(sent, { before, after, difference });
  }
  return expectAnswered(kit, delivery, difference, how);
}

interface WithoutId {
  readonly before: readonly Attempt[];
  readonly after: readonly Attempt[];
  readonly difference: string;
}

function pollutedBy(sent: Attempt, { before, after, difference }: WithoutId): Finding {
  const accepted = itemOf(after, 0);
  return finding(
    { requirement: 'ROB-1', difference, hint: polluted },
    {
      attempts: [sent, accepted],
      expected: `a body without an id is refused afterwards as it was before (${describeAnswer(itemOf(before, 0).answer)})`,
      actual: `a body without an id was accepted afterwards: ${describeAnswer(accepted.answer)}`,
      absence: false,
    },
  );
}

/** Nothing where the contract names no id. @param beside - a plain one follows each; nothing where one of these is refused as well */
async function withoutId(kit: ReceiverKit, beside = false): Promise<readonly Attempt[]> {
  const { id } = kit.contract.delivery.members;
  const sent: Attempt[] = [];
  while (id !== undefined && sent.length < times) {
    const rewrite = (body: Buffer): Buffer => spoilt(body, 'the body is JSON without an id', id);
    sent.push(await deliveredWithRetries(kit, kit.compose(kit.control, { rewrite })));
    if (beside && !kit.accepts(await kit.deliverWithRetries(kit.compose(kit.control)))) return [];
  }
  return sent;
}

const polluted =
  'What one body says is now read from every other one that lacks it, until the receiver is started again: a function that merges or ' +
  'copies objects followed __proto__ or constructor.prototype to what all objects share. Skip these names, or merge into an object ' +
  'that has no prototype.';
