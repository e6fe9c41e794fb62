import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { wholeList } from '../../../generators/schema/wholeList.ts';
import { type CaseKind, type Finding, receiverCheck, Unproven } from '../../check.ts';
import { describeAnswer } from '../../answer.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects, type EffectClaim } from '../effect.ts';
import { acceptedForgery, acceptedTwin, attempt, type Point } from '../expectation.ts';
import { describeForgery, forge, type Forgery } from '../forgery.ts';
import { itemOf } from '../../items.ts';
import { describeSettings, inSetting, isAnsweredByReceiver, type Setting, settingHints } from './setting.ts';
import { settingGroups } from './settingGroups.ts';

interface SettingsCase {
  readonly notification: Notification;
  /** Each is a delivery's: what it differs in from a plain one. */
  readonly settings: readonly (readonly Setting[])[];
}

const wrong: Forgery = { kind: 'another secret', secret: 'forged' };
const missing: Forgery = { kind: 'no signature header' };

/** Section 5.2: the body and the secret decide, and nothing else that a delivery says. */
export const everySetting = receiverCheck<SettingsCase>({
  id: 'receiver/signature/every-setting',
  title: 'refuses a forged delivery whatever its headers, method, query, sender and event are',
  requirements: ['VRF-2'],
  needs: ['secret'],
  canary: true,
  weight: 0.1,
  cases: settingCases,
  run: async (kit, { notification, settings }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const unanswered: Attempt[] = [];
    const claims: EffectClaim[] = [];
    const forged = settings.flatMap((setting) => forgeriesIn(setting).map((forgery) => ({ setting, forgery })));
    const all = forged.map(async (each) => ({ ...each, sent: await sendForged(kit, notification, each) }));
    for (const { setting, forgery, sent } of await Promise.all(all)) {
      const point = pointOf(twin, setting, forgery);
      const counts = setting.every(isAnsweredByReceiver);
      if (counts && kit.accepts(sent.answer)) return acceptedFor(kit, sent, point, forgery);
      if (sent.answer.kind === 'timed-out') throw new Unproven(`no refusal was seen: ${describeAnswer(sent.answer)}`);
      if (sent.answer.kind === 'broken') unanswered.push(sent);
      if (!counts) claims.push({ attempts: [sent], claim: 'none', point });
    }
    if (unanswered.length > 0) await acceptedTwin(kit, kit.compose(notification));
    return expectEffects(kit, ...claims);
  },
  hint:
    'Verify every request before you look at anything but its raw body and the signature header: no header, method, query, ' +
    'address or event may lead around the verification.',
});

function settingCases(draw: Draw): readonly CaseKind<SettingsCase>[] {
  const notification = draw.notification();
  const { apart, together } = settingGroups(draw);
  const inCase = (settings: Arbitrary<SettingsCase['settings']>) => fc.record({ settings, notification });
  return [
    ...apart.map((group) => inCase(wholeList(group).map((settings) => settings.map((setting) => [setting])))),
    ...together.map((kind) => kind.map((group) => inCase(wholeList(group).map((settings) => [settings])))),
  ];
}

/** What lets a delivery through may ask for any signature at all, or for none. There are too many events to try both. */
function forgeriesIn(setting: readonly Setting[]): readonly Forgery[] {
  return setting.some(({ kind }) => kind === 'event') ? [wrong] : [wrong, missing];
}

function pointOf(twin: Attempt, setting: readonly Setting[], forgery: Forgery): Point {
  const difference = `${describeForgery(forgery)}, sent ${describeSettings(setting)}`;
  return { requirement: 'VRF-2', twin, difference, hint: settingHints[itemOf(setting, 0).kind] };
}

async function sendForged(
  kit: ReceiverKit,
  notification: Notification,
  { setting, forgery }: { readonly setting: readonly Setting[]; readonly forgery: Forgery },
): Promise<Attempt> {
  const event = setting.find((each) => each.kind === 'event');
  const genuine = kit.compose(event === undefined ? notification : kit.plain({ ...notification, event: event.event }));
  const delivery = setting.reduce<Delivery>((sent, each) => inSetting(kit, sent, each), forge(kit, genuine, forgery));
  const answer = await (delivery.from === undefined ? kit.deliver(delivery) : kit.deliverFrom(delivery.from, delivery));
  return attempt(delivery, answer);
}

/** A forgery that was accepted in a setting. Where it is accepted in none as well, the setting is not what matters. */
async function acceptedFor(kit: ReceiverKit, accepted: Attempt, point: Point, forgery: Forgery): Promise<Finding> {
  const delivery = forge(kit, kit.compose(kit.control), forgery);
  const plain = attempt(delivery, await kit.deliver(delivery));
  if (!kit.accepts(plain.answer)) return acceptedForgery(kit, accepted, point);
  const { hint: _, ...others } = point;
  return acceptedForgery(kit, plain, { ...others, difference: describeForgery(forgery), differsIn: 'signature' });
}
