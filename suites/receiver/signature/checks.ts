import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import type { SignatureScheme } from '../../../spec/signature.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, expectRefused } from '../expectation.ts';
import { forge, wellFormedForgeries } from '../forgery.ts';
import { signatureValue, withSignatureValue } from '../signatureHeader.ts';
import { changedAfterSigning, changedContent } from './changedBody.ts';
import { everySetting } from './everySetting.ts';
import { everySpelling, beyondAscii, headerCase, everySecret } from './genuineSignatures.ts';
import { malformedSignature, refusal } from './refusal.ts';
import { large } from './respelling.ts';
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
    'before you look at the id or store anything. Where every forgery is accepted, see whether you trust loopback addresses ' +
    'or a proxy on this machine: the kit sends from there.',
});

/** Section 5.2: a signature with something behind it is another signature. */
const nothingAdded = receiverCheck<{ notification: Notification; addition: Addition }>({
  id: 'receiver/signature/nothing-added',
  title: 'refuses the right signature with something added to it',
  requirements: ['VRF-5'],
  needs: ['secret'],
  canary: true,
  weight: 0.5,
  cases: (draw) =>
    additionsFor(draw.scheme).map((addition) =>
      fc.record({ addition: fc.constant(addition), notification: draw.notification() }),
    ),
  run: async (kit, { notification, addition }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = withAddition(kit, kit.compose(notification), addition);
    return expectRefused(kit, delivery, { requirement: 'VRF-5', twin, difference: addition, hint: hints[addition] });
  },
  hint: 'Compare the whole header value. Decoders of hex and base64 drop what they cannot read, so junk behind a signature passes.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const signatureChecks: readonly ReceiverCheck[] = [
  everySpelling,
  beyondAscii,
  headerCase,
  everySecret,
  forged,
  everySetting,
  changedAfterSigning,
  changedContent,
  nothingAdded,
  malformedSignature,
  refusal,
];

async function refusesForgery(kit: ReceiverKit, value: ForgedCase): Promise<Finding | undefined> {
  const { finding: accepted, claims } = await sendForged(kit, value);
  return accepted ?? expectEffects(kit, ...claims);
}

const additions = [
  'two more digits at the end',
  'letters that are no digits at the end',
  'a second value in a second header line',
  'a second value in a header line before it',
] as const;
type Addition = (typeof additions)[number];

const repeatedHeader =
  'Refuse a delivery whose signature header comes twice: what stands before your code (a proxy, a firewall) may look at ' +
  'the line that you do not. Many frameworks give out one value of a repeated header without a word, so ask for all of them.';

/** Where another mistake is behind it than the one that the check's hint speaks of. */
const hints: Readonly<Partial<Record<Addition, string>>> = {
  'a second value in a second header line': `The header came twice, and only its first line was compared. ${repeatedHeader}`,
  'a second value in a header line before it': `The header came twice, and only its last line was compared. ${repeatedHeader}`,
};

/** Schemes with a layout of their own make a list of their header, to which HTTP lets a second line belong. */
function additionsFor({ layout }: SignatureScheme): readonly Addition[] {
  return layout === 'body' ? additions : additions.slice(0, 2);
}

function withAddition(kit: ReceiverKit, delivery: Delivery, addition: Addition): Delivery {
  const wrong = signatureValue(kit, forge(kit, delivery, { kind: 'another secret', secret: 'other' }));
  const line = [kit.signatureHeader, wrong] as const;
  switch (addition) {
    case 'two more digits at the end':
      return { ...delivery, headers: withSignatureValue(kit, delivery, (value) => `${value}00`) };
    case 'letters that are no digits at the end':
      return { ...delivery, headers: withSignatureValue(kit, delivery, (value) => `${value}~zz`) };
    case 'a second value in a second header line':
      return { ...delivery, headers: [...delivery.headers, line] };
    case 'a second value in a header line before it':
      return { ...delivery, headers: [line, ...delivery.headers] };
  }
}
