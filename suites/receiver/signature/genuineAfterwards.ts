import { type Finding, Unproven } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Point } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { describeForgery } from '../describeForgery.ts';
import { allSent, type EffectClaim } from '../effect.ts';
import { acceptedTwin, deliveredWithRetries, expectAccepted } from '../expectation.ts';
import type { Forgery } from '../forgery.ts';
import { overOwnConnection } from '../onWire.ts';

const asItWas =
  'A delivery that is refused must leave everything as it was. Verify the signature before you look at the id, and note and undo ' +
  'nothing under an id that a refused delivery names: neither that it came, nor that it was refused.';

/** What came before it. */
interface Before {
  /** A delivery that was accepted. */
  readonly twin: Attempt;
  readonly forgery: Forgery;
}

/** What became of it: a finding where it was refused, or what is left to judge. */
interface Later {
  readonly finding?: Finding;
  readonly claim?: EffectClaim;
}

/** What comes after the forgery is accepted, takes effect, and is known when it comes again. */
export async function takenAfterwards(kit: ReceiverKit, genuine: Delivery, { twin, forgery }: Before): Promise<Later> {
  const difference = `${describeForgery(forgery)}, then the genuine delivery of the same id, twice`;
  const point = { requirement: 'VRF-2', twin, difference, hint: asItWas } as const;
  const taken = await deliveredWithRetries(kit, genuine);
  await kit.deliverWithRetries(genuine);
  return (await shutOut(kit, taken, point)) ?? { claim: { attempts: [taken], claim: 'still once', point } };
}

/** What was accepted before the forgery stays known: its redelivery is one. */
export async function redelivered(kit: ReceiverKit, _genuine: Delivery, { twin, forgery }: Before): Promise<Later> {
  const difference = `${describeForgery(forgery)} under the id of what was accepted before, then the redelivery of that`;
  const point = { requirement: 'VRF-2', twin, difference, hint: asItWas } as const;
  const sent = await deliveredWithRetries(kit, kit.withBody(twin.delivery, twin.delivery.body));
  return (await shutOut(kit, sent, point)) ?? { claim: { attempts: [sent], claim: 'still not repeated', point } };
}

/**
 * The genuine delivery is refused since a forgery came under its id.
 *
 * @throws Unproven where one of the same content under another id is refused as well, or its redelivery (IDM-1), or where it is
 * accepted over a connection of its own: then it is what the connection carried before
 */
async function shutOut(kit: ReceiverKit, sent: Attempt, point: Point): Promise<Later | undefined> {
  if (kit.accepts(sent.answer)) return undefined;
  const found = await expectAccepted(kit, sent.delivery, point);
  if (found === undefined) return undefined;
  const other = await acceptedTwin(kit, kit.again(sent.delivery));
  await acceptedTwin(kit, other.delivery);
  if (kit.accepts(await kit.deliver(overOwnConnection(sent.delivery))))
    throw new Unproven('it is accepted over a connection of its own');
  return { finding: { ...found, attempts: allSent(kit, sent) } };
}

/** What took effect before the forgery has taken effect after it, too. */
export function stillDone(genuine: Attempt, forgery: Forgery): EffectClaim {
  const difference = `${describeForgery(forgery)} under the id of what had taken effect before`;
  return {
    attempts: [genuine],
    claim: 'still once',
    point: { requirement: 'VRF-2', difference, hint: asItWas },
  };
}
