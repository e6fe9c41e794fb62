import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { wellFormedForgeries } from '../forgery.ts';
import { changedAfterSigning, changedContent } from './changedBody.ts';
import { everySetting } from './everySetting.ts';
import { everySpelling, beyondAscii, headerCase, everySecret } from './genuineSignatures.ts';
import { nothingAdded } from './nothingAdded.ts';
import { malformedSignature, refusal } from './refusal.ts';
import { large } from './respelling.ts';
import { fromTheFuture, signedAnew, smallSkew, tooOld } from './tolerance.ts';
import { severalSignatures } from './several.ts';
import { withoutSecret } from './withoutSecret.ts';
import { besideOthers, forgedCase, forgedCases, sendForged, type ForgedCase } from './sendForged.ts';

/** Section 5.2: a signature that was made with anything but the secret and this body is refused. */
const forged = receiverCheck<ForgedCase>({
  id: 'receiver/signature/forged',
  title: 'refuses a signature that was not made with the secret over this body',
  requirements: ['VRF-2'],
  needs: ['secret'],
  canary: true,
  weight: 1.5,
  cases: (draw) => [
    ...forgedCases(draw, wellFormedForgeries),
    forgedCase(large(draw), itemOf(wellFormedForgeries, 0)),
    ...besideOthers.map((genuine) => forgedCase(draw.notification(), itemOf(wellFormedForgeries, 0), [genuine])),
  ],
  run: refusesForgery,
  hint:
    'Recompute the HMAC with your secret over the raw body and compare all of it, in constant time. Check the signature ' +
    'before you look at the id or store anything, await it, and return where it fails: a promise is true in every "if". Where ' +
    'every forgery is accepted, see whether you trust loopback addresses or a proxy on this machine: the kit sends from there.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const signatureChecks: readonly ReceiverCheck[] = [
  everySpelling,
  beyondAscii,
  headerCase,
  everySecret,
  severalSignatures,
  forged,
  everySetting,
  changedAfterSigning,
  changedContent,
  nothingAdded,
  tooOld,
  fromTheFuture,
  smallSkew,
  signedAnew,
  malformedSignature,
  refusal,
  withoutSecret,
];

async function refusesForgery(kit: ReceiverKit, value: ForgedCase): Promise<Finding | undefined> {
  const { finding: accepted, claims } = await sendForged(kit, value);
  return accepted ?? expectEffects(kit, ...claims);
}
