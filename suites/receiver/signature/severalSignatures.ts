import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import type { SignatureScheme } from '../../../spec/signature.ts';
import { fillTemplate, readElements, templateParts } from '../../../spec/signatureTemplate.ts';
import { receiverCheck, type Finding } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, expectAccepted, expectRefused } from '../expectation.ts';
import { signatureValue, withSignatureValue } from '../signatureHeader.ts';

/** A signature in the list: of this secret, of another one, or of a version that the scheme does not know. */
type Listed = 'right' | 'wrong' | 'another version';

interface ListCase {
  readonly notification: Notification;
  readonly list: readonly Listed[];
}

/** While a secret is replaced, a service signs with both; and it may sign by a newer version as well. */
export const severalSignatures = receiverCheck<ListCase>({
  id: 'receiver/signature/several',
  title: 'finds the right signature among several, and accepts nothing without it',
  requirements: ['VRF-1', 'VRF-2'],
  needs: ['secret'],
  about: ['several'],
  weight: 0.5,
  cases: listCases,
  run: async (kit, { notification, list }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = withList(kit, kit.compose(notification), list);
    const point = { twin, difference: `signatures in the header: ${list.join(', ')}`, differsIn: 'signature' } as const;
    if (list.includes('right')) return expectAccepted(kit, delivery, { ...point, requirement: 'VRF-1' });
    const hint = list.includes('another version') ? ofAnotherVersion : undefined;
    return expectListRefused(kit, delivery, { ...point, requirement: 'VRF-2', hint });
  },
  hint:
    'Split the header, pass over what is not of the version that you know, and compare each signature that is left: one that is ' +
    'right is enough. A service signs with the old secret and the new one while a secret is replaced.',
});

const ofAnotherVersion =
  'A part of the header was compared whatever its name is. Compare the parts of the version that you know, and pass over all others: ' +
  'another version may be made in a weaker way, or for test events alone.';

async function expectListRefused(
  kit: ReceiverKit,
  delivery: Delivery,
  point: Parameters<typeof expectRefused>[2],
): Promise<Finding | undefined> {
  const accepted = await expectRefused(kit, delivery, point);
  return accepted ?? expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'none', point });
}

function listCases(draw: Draw): readonly Arbitrary<ListCase>[] {
  const known: readonly (readonly Listed[])[] = [
    ['wrong', 'right'],
    ['right', 'wrong'],
    ['wrong', 'wrong', 'right', 'wrong'],
    ['wrong', 'wrong'],
  ];
  const versioned: readonly (readonly Listed[])[] = [
    ['another version', 'right'],
    ['right', 'another version'],
    ['another version'],
  ];
  const all = versionedPart(draw.scheme) === undefined ? known : [...known, ...versioned];
  return all.map((list) => fc.record({ list: fc.constant(list), notification: draw.notification() }));
}

function withList(kit: ReceiverKit, delivery: Delivery, list: readonly Listed[]): Delivery {
  const { headers, several = '' } = kit.scheme;
  const own = ownPart(kit.scheme);
  const elements = (of: Delivery) => readElements(headers[0].template, several, signatureValue(kit, of));
  const digestOf = (of: Delivery) => elements(of).find(({ part }) => part === own)?.fields.digest ?? '';
  const right = digestOf(delivery);
  const wrong = digestOf({ ...delivery, headers: kit.sign(delivery.body, delivery.id, 'an old secret~') });
  const texts = list.map((listed) => {
    if (listed !== 'another version') return fillTemplate(own, { digest: listed === 'right' ? right : wrong });
    // Alone it is right but for its version.
    return fillTemplate(versionedPart(kit.scheme) ?? own, { digest: list.length === 1 ? right : wrong });
  });
  const change = () => elements(delivery).flatMap(({ text, part }) => (part === own ? texts : [text]));
  return { ...delivery, headers: withSignatureValue(kit, delivery, () => change().join(several)) };
}

function ownPart({ headers: [{ template }], several }: SignatureScheme): string {
  return templateParts(template, several).find((part) => part.includes('{digest}')) ?? template;
}

/** The part with the digest under another number: `v0={digest}` for `v1={digest}`; nothing where it has none. */
function versionedPart(scheme: SignatureScheme): string | undefined {
  const [, name, version, rest] = /^([a-z]+)(\d+)([=,:]\{digest\}.*)$/i.exec(ownPart(scheme)) ?? [];
  return name === undefined ? undefined : `${name}${version === '0' ? 1 : 0}${rest}`;
}
