import fc, { type Arbitrary } from 'fast-check';

import { wholeList } from '../../../generators/arbitraries.ts';
import { canonicalJson } from '../../../generators/json/json.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { type AwkwardKind, awkwardKinds, groupText } from '../../../generators/schema/text.ts';
import type { Contract } from '../../../spec/contract.ts';
import { receiverCheck } from '../../check.ts';
import { type Draw, passing } from '../../draw.ts';
import { expectAccepted, acceptedTwin, expectRead } from '../expectation.ts';
import { isAllowed, withMember } from '../namesakes.ts';
import { inPlainText, specialCharacters, withMoreText, withTextInstead } from '../plainText.ts';
import { acceptedBeside } from './acceptedBeside.ts';
import { sizeText } from '../../../spec/units.ts';
import { filled } from '../signature/setting.ts';

interface TextCase {
  readonly plain: Notification;
  readonly notification: Notification;
  readonly difference: string;
  /** How a receiver usually gets it wrong, where that is a mistake of its own. */
  readonly hint?: string;
  /** True where nothing but the size of the body differs. */
  readonly isOfSize?: true;
}

/** How receivers go wrong where it is the characters of a text that matter. */
export const textHint =
  'Read the body as bytes, compute the signature over these bytes, and decode them as UTF-8 only afterwards. A ' +
  'database column must take characters outside the basic plane too.';

/** Section 2.2: text in the body is Unicode, and may be long. */
export const anyText = receiverCheck<TextCase>({
  id: 'receiver/acceptance/text',
  title: 'accepts text in any script, and a long one',
  requirements: ['RCV-2'],
  needs: [],
  cases: (draw) => [
    ...[...awkwardKinds, 'unicode' as const].flatMap((text) => inScript(draw, text)),
    ...suspicious(draw),
    ...longText(draw),
  ],
  run: async (kit, { plain, notification, difference, hint, isOfSize }) => {
    // Nothing but its size is another: where that is refused as forged, what was hashed is not the whole body.
    const found = await acceptedBeside(
      kit,
      plain,
      notification,
      difference,
      isOfSize === true ? expectAccepted : expectRead,
    );
    return found && hint !== undefined && found.hint === undefined ? { ...found, hint } : found;
  },
  hint: textHint,
});

/** None where no text of a contract may be any text: its schemas list values, or show examples that stand there. */
function inScript(draw: Draw, kind: AwkwardKind | 'unicode'): readonly Arbitrary<TextCase>[] {
  const drawn = draw.notification({ text: kind });
  const whole =
    kind === 'unicode'
      ? drawn
      : fc.tuple(drawn, groupText(kind)).map(([notification, more]) => withMore(draw.contract, notification, more));
  const cases = whole.map((notification) => ({
    plain: { ...notification, value: inPlainText(notification.value) },
    notification,
    difference: specialCharacters,
  }));
  return passing(cases, ({ plain, notification }) => canonicalJson(plain.value) !== canonicalJson(notification.value));
}

/** What filters take for an attack, and a note, a mail or a document may hold. Nothing of it does harm where it is executed. */
const suspicions = [
  '<a href="javascript:void(0)" onclick="track()">track</a>',
  '<script>track()</script>',
  "' OR '1'='1' --",
  '1 UNION SELECT 1 --',
  '../../documents/bill.pdf',
  '{{ number }} ${number} <%= number %>',
  '$(date); cat notes.txt | sort',
] as const;

const filtered =
  'It looks as if something before or in your receiver (a web application firewall, a filter of the framework) takes the text for an ' +
  'attack: exempt the address of the webhook, for the signature says who wrote the body. Pass texts to a database as parameters, and ' +
  'escape them in a page.';

/** Texts that are such in the place of those that may hold any character. */
function suspicious(draw: Draw): readonly Arbitrary<TextCase>[] {
  const drawn = fc.tuple(draw.notification({ text: 'quoting' }), wholeList(suspicions));
  const cases = drawn.map(([notification, parts]): TextCase => {
    const plain = { ...notification, value: inPlainText(notification.value) };
    const value = withTextInstead(notification.value, parts.join(' '));
    const difference = `texts that look like markup, statements, paths or commands: ${parts.join(' ')}`;
    return { plain, notification: { ...notification, value }, difference, hint: filtered };
  });
  return passing(
    cases,
    ({ plain, notification }) =>
      isAllowed(draw.contract, notification) && canonicalJson(plain.value) !== canonicalJson(notification.value),
  );
}

/** A receiver may trip over one character of a group alone. Nothing more where the contract allows no longer text there. */
function withMore(contract: Contract, notification: Notification, more: string): Notification {
  const longer = { ...notification, value: withMoreText(notification.value, more) };
  return isAllowed(contract, longer) ? longer : notification;
}

/** What is not known before the delivery is made, such as its id: it is as large as has to be taken at most. */
const spared = 1024;

const limited =
  'Raise the limit of the body parser (and of the proxy before it) so that bodies up to 64 KiB pass (or what --assume body.judged ' +
  'says), and cut off or put aside a text that has no room in your store. Where it is refused as a forgery, only a part was hashed: ' +
  'read until the body ends, also from the file to which some servers write a large one (ngx.req.get_body_file in Lua).';

/** A text that makes a body about as large as every receiver has to take; nothing where the contract allows no such body. */
function longText(draw: Draw): readonly Arbitrary<TextCase>[] {
  for (const holder of draw.memberHolders) {
    const possible = passing(
      draw.notification().map((plain): TextCase => {
        const letters = draw.judgedSize - Buffer.byteLength(JSON.stringify(plain.value)) - spared;
        const holding = (value: string) => withMember(plain, { holder, name: 'x_text', value });
        const notification = holding('a'.repeat(Math.max(0, letters)));
        return {
          plain: holding('a'),
          notification,
          difference: `a text of ${letters} characters`,
          hint: limited,
          isOfSize: true,
        };
      }),
      ({ notification }) => isAllowed(draw.contract, notification),
    );
    if (possible.length > 0) return possible;
  }
  return [];
}

/** RFC 9562: the versions that a service is likely to assign beside 4. Both begin with a time, 1 with its lowest bits. */
const versions = [1, 7] as const;
type UuidVersion = (typeof versions)[number];

/** Section 2.2: an id is a uuid, and no version of it is named. */
export const everyUuidVersion = receiverCheck<{ version: UuidVersion; notification: Notification }>({
  id: 'receiver/acceptance/uuid-versions',
  title: 'accepts an id of any version of uuid',
  requirements: ['RCV-2'],
  needs: [],
  about: ['uuid'],
  weight: 0.25,
  cases: (draw) =>
    versions.map((version) => fc.record({ version: fc.constant(version), notification: draw.notification() })),
  run: async (kit, { version, notification }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const id = uuidOf(version, kit.freshId(), kit.now());
    return expectRead(kit, kit.compose(notification, { id }), {
      requirement: 'RCV-2',
      twin,
      difference: `the id is a uuid of version ${version}, not of version 4`,
    });
  },
  hint:
    'An id is a uuid of whatever version: take any text of that shape. Patterns for version 4 (a 4 at the beginning of ' +
    'the third group) refuse the others, so leave the version out of the pattern, or compare ids as text alone.',
});

/** Seconds from the beginning of the Gregorian calendar, from which version 1 counts, to 1970. */
const gregorian = 12_219_292_800;

/**
 * A uuid of this version and time (RFC 9562, sections 5.1 and 5.7), as unique as the one that it is made from.
 *
 * @param random - a uuid of version 4
 * @param seconds - since the epoch
 */
function uuidOf(version: UuidVersion, random: string, seconds: number): string {
  const clock = random.slice(19, 23);
  const node = random.slice(24);
  if (version === 7) {
    const time = hex(BigInt(seconds) * 1000n, 12);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15, 18)}-${clock}-${node}`;
  }
  const time = hex(BigInt(seconds + gregorian) * 10_000_000n, 15);
  return `${time.slice(7)}-${time.slice(3, 7)}-1${time.slice(0, 3)}-${clock}-${marked(node)}`;
}

/** A node that is no network card's address has the lowest bit of its first byte set. */
function marked(node: string): string {
  return hex(BigInt(`0x${node.slice(0, 2)}`) | 1n, 2) + node.slice(2);
}

function hex(number: bigint, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

interface MediaTypeCase {
  readonly notification: Notification;
  readonly contentType: string;
  /** Bytes of the body, with white space at its end: a body parser may have a limit for each media type. */
  readonly bytes: number;
}

/** Section 4.4: the media type's spelling does not decide. */
export const anyMediaType = receiverCheck<MediaTypeCase>({
  id: 'receiver/acceptance/media-types',
  title: 'accepts the JSON media types that a service may send',
  requirements: ['RCV-7'],
  needs: [],
  weight: 0.5,
  cases: (draw) =>
    [0, draw.judgedSize].flatMap((bytes) =>
      draw.mediaTypes.map((contentType) =>
        fc.record({
          contentType: fc.constant(contentType),
          bytes: fc.constant(bytes),
          notification: draw.notification(),
        }),
      ),
    ),
  run: async (kit, { notification, contentType, bytes }) => {
    const rewrite = (body: Buffer): Buffer => filled(body, bytes);
    const twin = await acceptedTwin(kit, kit.compose(notification, { rewrite }));
    return expectAccepted(kit, kit.compose(notification, { contentType, rewrite }), {
      requirement: 'RCV-7',
      twin,
      difference: `the header Content-Type: ${contentType}${bytes === 0 ? '' : `, and a body of ${sizeText(bytes)}`}`,
    });
  },
  hint:
    'Configure the body parser for every content type (it is JSON in any case), rather than for application/json alone, and ' +
    'with one limit for all of them: a parser of its own for a type has a limit of its own.',
});
