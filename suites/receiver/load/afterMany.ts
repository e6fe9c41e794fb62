import fc from 'fast-check';

import { receiverCheck, Unobservable } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedTwin, finding } from '../expectation.ts';
import { itemOf } from '../../items.ts';

/** Notifications that are delivered before it, beside those of the run so far. */
const many = 100;
/** Deliveries that are timed, one after the other. The quickest counts: on a busy machine any may be late. */
const timed = 7;
/** How many times as long an answer takes that has grown, and milliseconds that it takes at least. */
const grown = { times: 10, least: 100 } as const;

/** Section 4.4: what was received before costs later deliveries nothing. */
export const afterMany = receiverCheck<{ many: number }>({
  id: 'receiver/load/after-many',
  title: 'answers as quickly after many notifications as at the beginning',
  requirements: ['RCV-4'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  // One case, at any intensity: the beginning of a run comes once.
  weight: 0,
  cases: () => [fc.record({ many: fc.constant(many) })],
  run: async (kit, { many: more }) => {
    const [first] = kit.beginning.attempts;
    if (first === undefined) throw new Unobservable('no notification of the beginning of the run took effect once');
    const twin = quickestOf(kit.beginning.attempts, first);
    const before = twin.answer.ms;
    await Promise.all(Array.from({ length: more }, () => kit.deliver(kit.compose(kit.control))));
    const quickest = await quickestNow(kit);
    const { ms } = quickest.answer;
    if (ms < Math.max(grown.least, grown.times * before)) return undefined;
    return finding(
      [quickest],
      { requirement: 'RCV-4', twin, difference: 'at the end of the run' },
      {
        expected: `an answer about as soon as at the beginning of the run: the quickest came after ${rounded(before)} ms`,
        actual: `the quickest of ${timed} plain deliveries, sent one after the other, was answered after ${rounded(ms)} ms`,
        absence: true,
      },
    );
  },
  hint:
    'Something grows with what was received: a list that is searched from its beginning, a file that is read and written ' +
    'whole, a query without an index. Look an id up by an index, and append. Sooner or later such an answer comes too late.',
});

/** @throws Unproven where one is not accepted */
async function quickestNow(kit: ReceiverKit): Promise<Attempt> {
  const attempts: Attempt[] = [];
  for (let sent = 0; sent < timed; sent++) attempts.push(await acceptedTwin(kit, kit.compose(kit.control)));
  return quickestOf(attempts, itemOf(attempts, 0));
}

function quickestOf(attempts: readonly Attempt[], first: Attempt): Attempt {
  return attempts.reduce((least, one) => (one.answer.ms < least.answer.ms ? one : least), first);
}

function rounded(ms: number): number {
  return Math.max(1, Math.round(ms));
}
