import fc from 'fast-check';

import { receiverCheck, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { refusalTime, revived } from '../aftermath.ts';
import { expectEffects } from '../effect.ts';
import { acceptedForgery, acceptedTwin, delivered } from '../expectation.ts';
import { forge, type Forgery, plainForgeries } from '../forgery.ts';
import { forgedIn } from './sendForged.ts';

/** Rounds of forged deliveries that are sent once a plain one is accepted, and milliseconds between two rounds. */
const rounds = { once: 10, apart: 40 } as const;

interface Forged {
  readonly sent: Attempt;
  readonly forgery: Forgery;
}

/** Section 5.2: what is read after the start, such as the secret, leaves no door open until then. */
export const fromTheStart = receiverCheck<null>({
  id: 'receiver/signature/from-the-start',
  title: 'refuses forged deliveries from the first moment after a start',
  requirements: ['VRF-2', 'RTY-1'],
  fatal: 'RTY-1',
  needs: ['secret', 'process-control'],
  schedule: { kind: 'interrupting', timed: true },
  // One case: the same is sent each time.
  weight: 0,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    await kit.processControl.kill();
    await kit.processControl.start();
    const { tried, isServing } = await forgedUntilServing(kit, twin);
    const pointOf = ({ forgery }: Forged) => {
      const { difference, differsIn } = forgedIn(forgery);
      return { requirement: 'VRF-2', twin, difference: `${difference}, right after a start`, differsIn } as const;
    };
    const accepted = tried.find(({ sent }) => kit.accepts(sent.answer));
    if (accepted) return acceptedForgery(kit, accepted.sent, pointOf(accepted));
    const { useless } = await revived(kit, twin, 'killed, started again');
    if (useless) return useless;
    if (!isServing) throw new Unproven('it accepted plain deliveries too late after its start');
    return expectEffects(
      kit,
      ...tried.map((one) => ({ attempts: [one.sent], claim: 'none' as const, point: pointOf(one) })),
    );
  },
  hint:
    'A forged delivery is accepted for a moment after each start. Take connections only once the secret is there: one that is ' +
    'read from a file, a database or a vault while deliveries are served already is missing for the first of them. Let a missing ' +
    'secret refuse everything, never "if (secret) verify()".',
});

/** Sends forged deliveries beside plain ones until those are accepted, and a little longer. Up to the first that is accepted. */
async function forgedUntilServing(
  kit: ReceiverKit,
  twin: Attempt,
): Promise<{ readonly tried: readonly Forged[]; readonly isServing: boolean }> {
  let left: number = rounds.once;
  const tried: Forged[] = [];
  const until = kit.elapsed() + refusalTime;
  while (left > 0 && kit.elapsed() < until) {
    const sent = plainForgeries.map(async (forgery) => {
      const attack = forge(kit, kit.compose(kit.control), forgery);
      return { sent: await delivered(kit, attack), forgery };
    });
    const [plain, ...forged] = await Promise.all([kit.deliver(kit.again(twin.delivery)), ...sent]);
    tried.push(...forged);
    if (forged.some((one) => kit.accepts(one.sent.answer))) break;
    if (kit.accepts(plain)) left -= 1;
    await kit.pause(rounds.apart);
  }
  return { tried, isServing: left === 0 };
}
