import fc, { type Arbitrary } from 'fast-check';

import { canonicalJson } from '../../../generators/json/json.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { type AwkwardKind, awkwardKinds, groupText } from '../../../generators/schema/text.ts';
import type { Contract } from '../../../spec/contract.ts';
import { receiverCheck } from '../../check.ts';
import { type Draw, passing } from '../../draw.ts';
import { expectAccepted } from '../expectation.ts';
import { expectRead } from '../expectRead.ts';
import { isAllowed, withMember } from '../namesakes.ts';
import { inPlainText, specialCharacters, withMoreText } from '../plainText.ts';
import { acceptedBeside } from './timestamps.ts';

interface TextCase {
  readonly plain: Notification;
  readonly notification: Notification;
  readonly difference: string;
  /** How a receiver usually gets it wrong, where that is a mistake of its own. */
  readonly hint?: string;
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
    ...longText(draw),
  ],
  run: async (kit, { plain, notification, difference, hint }) => {
    // Nothing but its size is another: where that is refused as forged, what was hashed is not the whole body.
    const found = await acceptedBeside(
      kit,
      plain,
      notification,
      difference,
      hint === undefined ? expectRead : expectAccepted,
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
        return { plain: holding('a'), notification, difference: `a text of ${letters} characters`, hint: limited };
      }),
      ({ notification }) => isAllowed(draw.contract, notification),
    );
    if (possible.length > 0) return possible;
  }
  return [];
}
