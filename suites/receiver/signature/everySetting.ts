import fc, { type Arbitrary } from 'fast-check';

import { type Notification, withEvent } from '../../../generators/notification/notification.ts';
import { wholeList } from '../../../generators/arbitraries.ts';
import { type CaseKind, type Finding, receiverCheck, Unproven } from '../../check.ts';
import { describeAnswer } from '../../answer.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects, type EffectClaim } from '../effect.ts';
import type { Point } from '../../finding.ts';
import { acceptedTwin, answeredForgery, attempt, delivered } from '../expectation.ts';
import { describeForgery } from '../describeForgery.ts';
import { forge, plainForgery, type Forgery } from '../forgery.ts';
import { hintBesideOthers } from './forgeryHint.ts';
import { forgedIn } from './sendForged.ts';
import { itemOf } from '../../items.ts';
import {
  describeSettings,
  inSetting,
  isAnsweredByReceiver,
  type Setting,
  settingHints,
  pathSpellings,
  sizes,
} from './setting.ts';
import { claimHeaders, senderHeaders, standard } from '../senderClaim.ts';

interface SettingsCase {
  readonly notification: Notification;
  /** Each is a delivery's: what it differs in from a plain one. */
  readonly settings: readonly (readonly Setting[])[];
}

const missing: Forgery = { kind: 'no signature header' };

const methods = ['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD', 'OPTIONS'] as const;

/** Methods that a header may put in the place of the real one; what reads is of no use to a forger. */
const overridden = ['PUT', 'PATCH'] as const;

/** What no receiver handles, so that some look no further. */
const unknownEvent = 'nothing.of.the.kind';

const hosts = ['localhost', '127.0.0.1', 'internal', 'receiver.local', 'staging.example.com'] as const;

const origins = ['null', 'http://localhost', 'https://example.com'] as const;

/** Where the kit sends from, and another address of the same machine. */
const senders = ['127.0.0.1', '127.0.0.2'] as const;

/** Addresses that networks of one's own have: loopback, a private network, a container's host. */
const claimed = ['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1', '172.17.0.1'] as const;

/** Names under which a way around the verification is left open, for development, a proxy or an administrator. */
const switchedOn = [
  'debug',
  'test',
  'dev',
  'development',
  'local',
  'internal',
  'internal request',
  'admin',
  'trusted',
  'verified',
  'authenticated',
  'bypass',
  'insecure',
  'skip',
  'skip auth',
  'skip signature',
  'skip verification',
  'skip verify',
  'no auth',
  'no verify',
  'force',
  'replay',
  'retry',
  'redelivery',
] as const;

const switchedOff = ['verify', 'verify signature', 'check signature', 'strict', 'secure'] as const;

const environments = ['env', 'environment', 'mode', 'stage'] as const;

/** What those who were let in before send, a browser or a tool first of all. */
const credentials = [
  header('Authorization', 'Bearer forged'),
  header('Cookie', 'session=forged; admin=1'),
  header('X-Api-Key', 'forged'),
  header('X-Requested-With', 'XMLHttpRequest'),
  header('Referer', 'http://localhost/'),
  header('X-Forwarded-Proto', 'https'),
  header('User-Agent', 'curl/8.5.0 PostmanRuntime/7.43.0 insomnia/10.3.0 HTTPie/3.2.4 test'),
  header('User-Agent', 'kube-probe/1.31 ELB-HealthChecker/2.0 GoogleHC/1.0 (health check of a monitor, probe, bot)'),
];

/** Headers in which other senders sign, or a token of theirs stands. A receiver of several senders may look for any of them. */
const otherSignatures = [
  'Signature',
  'X-Signature',
  'X-Signature-256',
  'X-Hub-Signature',
  'X-Hub-Signature-256',
  'X-Hmac-Sha256',
  'X-Webhook-Signature',
  'Webhook-Signature',
  'X-Webhook-Secret',
  'X-Webhook-Token',
] as const;

/** Section 5.2: the body and the secret decide, and nothing else that a delivery says. */
export const everySetting = receiverCheck<SettingsCase>({
  id: 'receiver/signature/every-setting',
  title: 'refuses a forged delivery whatever its headers, method, query, size, sender and event are',
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
  return setting.some(({ kind }) => kind === 'event') ? [plainForgery] : [plainForgery, missing];
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
  const genuine = kit.compose(event === undefined ? notification : plainOf(kit, notification, event.event));
  const delivery = setting.reduce<Delivery>((sent, each) => inSetting(kit, sent, each), forge(kit, genuine, forgery));
  const answer = await (delivery.from === undefined ? kit.deliver(delivery) : kit.deliverFrom(delivery.from, delivery));
  return attempt(delivery, answer);
}

function plainOf(kit: ReceiverKit, notification: Notification, event: string): Notification {
  const isKnown = kit.contract.events.some(({ name }) => name === event);
  return isKnown ? kit.plain({ ...notification, event }) : withEvent(kit.contract, kit.plain(notification), event);
}

/** A forgery that was accepted in a setting. The setting is what matters only where the forgery is refused without it. */
async function acceptedFor(kit: ReceiverKit, accepted: Attempt, point: Point, forgery: Forgery): Promise<Finding> {
  const delivery = forge(kit, kit.compose(kit.control), forgery);
  const plain = await delivered(kit, delivery);
  if (!kit.accepts(plain.answer)) {
    const hint = plain.answer.kind === 'answered' ? point.hint : undefined;
    return answeredForgery(kit, accepted, { ...point, hint });
  }
  const hint = await hintBesideOthers(kit, kit.control, forgery);
  const twin = await acceptedTwin(kit, kit.compose(kit.control));
  return answeredForgery(kit, plain, { ...point, twin, ...forgedIn(forgery), hint });
}

/** Settings to try a forged delivery in. */
interface SettingGroups {
  /** Each setting of a group has a delivery of its own. */
  readonly apart: readonly (readonly Setting[])[];
  /**
   * Kinds of groups. All settings of a group are tried in one delivery: none of them keeps another from being seen. The
   * groups of a kind take turns.
   */
  readonly together: readonly (readonly (readonly Setting[])[])[];
}

/** Every setting that is tried, in groups of a kind. */
function settingGroups(draw: Draw): SettingGroups {
  const { contract, mediaTypes, subscribed, published } = draw;
  const marks = contract.delivery.redeliveryHeaders.map(([name, value]) => header(name, value));
  return {
    apart: [
      [...new Set([...mediaTypes, ...otherMediaTypes(contract.delivery.mediaType)])].map((type) => ({
        kind: 'media type',
        type,
      })),
      // All of them: one that is taken from anybody is often an event of its own, such as a ping.
      [...subscribed.map(({ name }) => name), unknownEvent].map((event) => ({ kind: 'event', event })),
      [...hosts.map((host) => header('Host', host)), ...origins.map((origin) => header('Origin', origin))],
      [{ kind: 'HTTP/1.0' }, { kind: 'chunked' }],
      sizes.map((bytes) => ({ kind: 'size', bytes })),
      senders.map((address) => ({ kind: 'sender', address })),
      methods.map((method) => ({ kind: 'method', method })),
      overridden.map((method) => ({ kind: 'method override', method })),
      pathSpellings.map((path) => ({ kind: 'path', path })),
    ],
    together: [
      ...(marks.length === 0 ? [] : [[marks]]),
      claimed.map(claimedAddress),
      ...published.slice(0, 1).map((address) => [claimedAddress(address)]),
      [`sha1=${'0'.repeat(40)}`, '0'.repeat(64)].map((value) => otherSignatures.map((name) => header(name, value))),
      [headersOf('1', '0', 'test'), headersOf('true', 'false', 'development')],
      [queryOf('1', '0', 'test'), queryOf('true', 'false', 'development')],
    ],
  };
}

function otherMediaTypes(usual: string): readonly (string | null)[] {
  return [
    null,
    '',
    usual.toUpperCase(),
    'application/problem+json',
    'text/json',
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'json',
    '*/*',
  ];
}

function claimedAddress(address: string): readonly Setting[] {
  const headers = [...senderHeaders, standard];
  return claimHeaders({ headers, spelling: 'alone' }, address, '').map(([name, value]) => header(name, value));
}

function headersOf(on: string, off: string, environment: string): readonly Setting[] {
  const switches = named(on, off, environment).map(([name, value]) =>
    header(`X-${name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase()).replaceAll(' ', '-')}`, value),
  );
  return [...switches, ...credentials];
}

function queryOf(on: string, off: string, environment: string): readonly Setting[] {
  return named(on, off, environment)
    .flatMap(([name, value]) => spelt(name).map((parameter) => `${parameter}=${value}`))
    .map((query) => ({ kind: 'query', query }));
}

/** A name of several words as parameters are written: `skip_auth`, `skipAuth`, `skip-auth`, `skipauth`. */
function spelt(name: string): readonly string[] {
  const camelCase = name.replaceAll(/ [a-z]/g, (first) => first.slice(1).toUpperCase());
  return [...new Set([name.replaceAll(' ', '_'), camelCase, name.replaceAll(' ', '-'), name.replaceAll(' ', '')])];
}

function named(on: string, off: string, environment: string): readonly (readonly [name: string, value: string])[] {
  return [
    ...switchedOn.map((name) => [name, on] as const),
    ...switchedOff.map((name) => [name, off] as const),
    ...environments.map((name) => [name, environment] as const),
  ];
}

function header(name: string, value: string): Setting {
  return { kind: 'header', name, value };
}
