import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck } from '../../check.ts';
import { acceptedTwin, expectRefused } from '../expectation.ts';
import { additionsFor, describeAddition, mirrored, withAddition, type Addition } from './additions.ts';

/** Section 5.2: a signature with something added to it is another signature. */
export const nothingAdded = receiverCheck<{ notification: Notification; addition: Addition }>({
  id: 'receiver/signature/nothing-added',
  title: 'refuses the right signature with something added to it',
  requirements: ['VRF-5'],
  needs: ['secret'],
  canary: true,
  weight: 0.5,
  cases: (draw) =>
    additionsFor(draw.scheme).map((addition) => fc.record({ addition, notification: draw.notification() })),
  run: async (kit, { notification, addition }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = withAddition(kit, kit.compose(notification), addition);
    const point = {
      requirement: 'VRF-5',
      twin,
      difference: describeAddition(addition),
      hint: hintOf(addition),
    } as const;
    const accepted = await expectRefused(kit, delivery, point);
    const mirror = mirrored(addition);
    if (accepted === undefined || mirror === undefined) return accepted;
    const answer = await kit.deliver(withAddition(kit, kit.compose(notification), mirror));
    if (!kit.accepts(answer)) return accepted;
    // Whatever looks for the signature in a list finds it at any place; the format of the header is a gap.
    kit.observe('GAP-14', 'a list with the right signature at any place is accepted', describeAnswer(answer));
    return undefined;
  },
  hint: 'Compare the whole header value. Decoders of hex and base64 drop what they cannot read, so junk behind a signature passes.',
});

const repeatedHeader =
  'Refuse a delivery whose signature header comes twice: what stands before your code (a proxy, a firewall) may look at ' +
  'the line that you do not. Many frameworks give out one value of a repeated header without a word, so ask for all of them.';
const skipping =
  'The signature was decoded, and the decoder passes over what it cannot read (bytes.fromhex over spaces, most decoders of ' +
  'base64 over anything). Compare the text of the header with the text that you expect.';
const splitUp =
  'The header was taken apart at a separator (a split), and one part of it was compared. Compare the whole value with the ' +
  'one that you expect; where it has parts, refuse one with more of them than there have to be.';
const lookedFor =
  'The signature was looked for within the header (includes, endsWith, the last part of a split, a regular expression ' +
  'without ^ and $). Compare the whole value.';
const timestamps =
  'Sign the text of the timestamp as it stands in the header. parseInt and the like drop what they cannot read, so what is ' +
  'signed is then not what was sent.';
const twoTimestamps =
  'Refuse a header in which a part comes twice: what stands before your code may look at the other one.';

/** Where another mistake is behind it than the one that the check's hint speaks of. */
function hintOf(addition: Addition): string | undefined {
  switch (addition.at) {
    case 'in a second header line':
      return `The header came twice, and only its first line was compared. ${repeatedHeader}`;
    case 'in a header line before it':
      return `The header came twice, and only its last line was compared. ${repeatedHeader}`;
    case 'behind its timestamp':
    case 'before its timestamp':
      return timestamps;
    case 'in a second timestamp':
    case 'in a timestamp before it':
      return twoTimestamps;
    case 'within its digest':
      return skipping;
    case 'behind it':
      return /^[,=;.:|&# ]/.test(addition.text) ? splitUp : undefined;
    default:
      return lookedFor;
  }
}
