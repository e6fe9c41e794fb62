import type { Finding } from '../../check.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone } from '../counting.ts';
import { attemptsOf } from '../expectation.ts';
import { finding } from '../../finding.ts';
import { unlikeBefore } from '../unlikeBefore.ts';

/** So many more of the event must take no effect: one may be lost by chance. */
const more = 5;

const ofItsEvent = {
  difference: 'another notification of the same event came before it',
  hint: 'An event is taken for a duplicate where one of its name came before. It happens again in real life: deduplicate by the whole id of the notification.',
};

const ofAll = {
  difference: 'another notification came before it',
  hint: 'Only the first notification of all took effect, so duplicates are known by something that is the same in all of them: an id of the webhook or of the account, say. Deduplicate by the whole id of the notification.',
};

/**
 * An event that is taken once and never again. The control delivers one event before all others, and again beside them, when
 * those took effect: what is dropped since then is dropped for its event.
 */
export async function secondOfItsEvent(kit: ReceiverKit): Promise<Finding | undefined> {
  const { first, attempts, withoutEffect } = kit.beginning;
  const event = first?.delivery.event ?? '';
  const second = withoutEffect.find(({ delivery }) => delivery.event === event);
  if (first === undefined || second === undefined || !kit.accepts(first.answer)) return undefined;
  const others = Array.from({ length: more }, () => kit.compose(unlikeBefore(kit, kit.plain({ event, value: null }))));
  const sent = attemptsOf(others, await kit.inTurn(others));
  if (!sent.every(({ answer }) => kit.accepts(answer))) return undefined;
  const effects = await effectsAlone(kit, [first, second, ...sent]);
  const isDropped = [second, ...sent].every((one) => countOf(effects, one) === 0);
  if (countOf(effects, first) === 0 || !isDropped) return undefined;
  return finding(
    {
      requirement: 'IDM-4',
      twin: first,
      ...(attempts.every(({ delivery }) => delivery.id === first.delivery.id) ? ofAll : ofItsEvent),
    },
    {
      attempts: [first, second],
      expected: 'one effect for each of the two ids',
      actual: `no effect of the second of its event, nor of ${more} more`,
      absence: true,
      effects: [{ id: second.delivery.id, expected: 1, actual: 0 }],
    },
  );
}
