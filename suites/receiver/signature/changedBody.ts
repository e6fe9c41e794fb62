import fc from 'fast-check';

import { valueAt } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, expectRefused, type Point } from '../expectation.ts';
import { large, describeForm, respelling, type Respelling } from './respelling.ts';

/** Section 5.2: the raw body is what is signed, so any change of it is refused. */
export const changedAfterSigning = receiverCheck<Respelling>({
  id: 'receiver/signature/changed-after-signing',
  title: 'refuses a body changed after signing, even where it parses to the same value',
  requirements: ['VRF-3'],
  needs: ['secret'],
  canary: true,
  weight: 2,
  cases: respelling,
  run: async (kit, { notification, form }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const signed = kit.compose(notification);
    const attack = { ...signed, body: kit.compose(notification, { id: signed.id, form }).body };
    return expectChangeRefused(kit, attack, signed, {
      requirement: 'VRF-3',
      twin,
      difference: describeForm(notification, form),
    });
  },
  hint: 'Verify the bytes as they arrived, before a JSON parser touches them.',
});

/** Section 5.2: the same for a change of what the body says. */
export const changedContent = receiverCheck<{
  notification: Notification;
  what: 'the id' | 'one character';
  at: number;
  replayed: boolean;
}>({
  id: 'receiver/signature/changed-content',
  title: 'refuses a body whose content was changed after signing',
  requirements: ['VRF-3'],
  needs: ['secret'],
  canary: true,
  cases: (draw) =>
    (
      [
        ['the id', draw.notification()],
        ['one character', draw.notification()],
        ['one character', large(draw)],
      ] as const
    ).map(([what, notification]) =>
      fc.record({ what: fc.constant(what), at: fc.nat({ max: 10_000 }), replayed: fc.boolean(), notification }),
    ),
  run: async (kit, { notification, what, at, replayed }) => {
    const signed = kit.compose(notification);
    const twin = await acceptedTwin(kit, replayed ? signed : kit.compose(notification));
    const attack =
      what === 'the id'
        ? { ...kit.compose(notification), headers: signed.headers }
        : { ...signed, body: withLetterChanged(signed.body, at, kept(kit, notification)) };
    const difference = `${what} changed after signing${replayed ? ', under the signature of a delivery that was accepted' : ''}`;
    return expectChangeRefused(kit, attack, signed, { requirement: 'VRF-3', twin, difference });
  },
  hint: 'The whole body is signed, every byte of it: compute the HMAC over all of it and nothing else.',
});

/** A changed body: it is refused, and takes no effect under the id that was signed or the one that it carries. */
async function expectChangeRefused(kit: ReceiverKit, attack: Delivery, signed: Delivery, point: Point) {
  if (attack.body.equals(signed.body)) throw new Unproven('the change left the body as it was');
  const accepted = await expectRefused(kit, attack, point);
  if (accepted || kit.attempts.some(({ delivery, answer }) => delivery.id === attack.id && kit.accepts(answer)))
    return accepted;
  return expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'none', point });
}

/**
 * Changes one letter or digit inside a text of the body, so that it stays a notification: what is `kept` stays too,
 * lest it be refused for another reason.
 */
function withLetterChanged(body: Buffer, at: number, keep: readonly string[]): Buffer {
  const copy = Buffer.from(body);
  const texts = [...copy.toString('latin1').matchAll(/(?<=:")[a-zA-Z0-9][\w.-]*(?=")/g)].filter(
    ([text]) => !keep.includes(text),
  );
  const places = texts.map(({ index, 0: text }) => index + (at % text.length));
  const place = places[at % places.length];
  if (place !== undefined) copy[place] = copy[place] === 0x30 ? 0x31 : 0x30;
  return copy;
}

/** The type and the event: a receiver may look at them before it looks at the signature. */
function kept({ contract }: ReceiverKit, { event, value }: Notification): readonly string[] {
  return [event, JSON.stringify(valueAt(value, contract.delivery.members.type) ?? null).slice(1, -1)];
}
