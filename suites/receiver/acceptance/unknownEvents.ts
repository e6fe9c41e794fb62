import fc, { type Arbitrary } from 'fast-check';

import { lazily } from '../../../generators/arbitraries.ts';
import { type Notification, withEvent } from '../../../generators/notification/notification.ts';
import { unknownEventKinds } from '../../../generators/notification/unknownEvent.ts';
import { isHeaderValue } from '../../../spec/headerText.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, type Finding } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { type Point, finding } from '../../finding.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, attempt, attemptsOf, expectRead } from '../expectation.ts';

interface UnknownEventCase {
  readonly notification: Notification;
  /** Each is delivered, one after the other. */
  readonly names: readonly string[];
  /** True where each comes at the same time as plain deliveries. Default false. */
  readonly amongOthers?: true;
}

/** Characters up to which a name has to be accepted: one that is longer may be refused, in time. */
const longest = 255;

/** Section 6.2: the event routes the handling, and an unknown one breaks nothing. */
export const unknownEvent = receiverCheck<UnknownEventCase>({
  id: 'receiver/acceptance/unknown-event',
  title: 'survives an event that it does not know',
  requirements: ['RCV-6'],
  needs: [],
  // One after the other: a name that a pattern takes for ever for lets nobody else be answered.
  schedule: { kind: 'alone', grouped: true },
  weight: 0.5,
  // The ladders first: they take longest.
  cases: (draw) => [
    ...repeated
      .filter(canCome(draw))
      .map((part) => fc.record({ names: fc.constant(ladder(part)), notification: draw.notification() })),
    named(draw, eventName(draw)),
    named(draw, eventName(draw)).map((one) => ({ ...one, amongOthers: true })),
    ...draw.unsubscribed.map((event) => named(draw, fc.constant(event.name))),
    misspelt(draw).map((name) => named(draw, name)),
    unheardOf.filter(canCome(draw)).map((name) => named(draw, fc.constant(name))),
  ],
  run: async (kit, { notification, names, amongOthers }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    for (const name of names) {
      const unknown = kit.compose(withEvent(kit.contract, notification, name));
      const point = { requirement: 'RCV-6', twin, difference: `the event is ${shown(name)}` } as const;
      const expect = amongOthers === true ? expectOthersKept : name.length > longest ? expectSurvived : expectRead;
      const found = await expect(kit, unknown, point);
      if (found) return found.attempts.at(-1)?.answer.kind === 'timed-out' ? { ...found, hint: slowPattern } : found;
    }
    return undefined;
  },
  hint:
    'Answer an event that you do not handle with an accepting status: any other answer makes the service send it again ' +
    'and again, up to the last retry. Look handlers up in a map of your own names alone: in an object of JavaScript ' +
    '"constructor" and "toString" are there too.',
});

/** Plain deliveries before an unknown event, and as many after it. */
const plain = 3;

/** What is delivered at the same moment as an unknown event takes effect. */
async function expectOthersKept(kit: ReceiverKit, unknown: Delivery, point: Point): Promise<Finding | undefined> {
  const others = Array.from({ length: 2 * plain }, () => kit.compose(kit.control));
  const deliveries = [...others.slice(0, plain), unknown, ...others.slice(plain)];
  const sent = attemptsOf(deliveries, await kit.together(deliveries));
  if (sent[plain]?.answer.kind === 'timed-out') return expectRead(kit, kit.again(unknown), point);
  const accepted = sent.filter(({ delivery, answer }) => delivery !== unknown && kit.accepts(answer));
  const { requirement } = point;
  const difference = `delivered at the same moment as another notification, of which ${point.difference}`;
  const claimed = { requirement, difference, concurrent: true, hint: batched };
  return expectEffects(kit, { attempts: accepted, claim: 'still once', point: claimed });
}

const batched =
  'What was worked on together with an event that nobody handles was lost with it: a batch is one transaction, or stops at its ' +
  'first error. Catch the error of each notification by itself, and pass over events that you do not handle.';

const slowPattern =
  'A pattern that names of events are tested with takes longer with every character: one with a repetition inside a ' +
  'repetition, such as ([a-z]+\\.?)+, tries all ways to divide a name. Compare names with a list, or split them at the dots.';

/** Whatever the answer, it comes in time and is no failure. */
async function expectSurvived(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  const answer = await kit.deliverWithRetries(delivery);
  if (answer.kind !== 'timed-out' && !hasStatusClass(answer, 5)) return undefined;
  return finding(point, {
    attempts: [attempt(delivery, answer)],
    expected: `an answer within ${kit.timeout} ms, and no 5xx status`,
    actual: describeAnswer(answer),
    absence: true,
  });
}

function named(draw: Draw, name: Arbitrary<string>): Arbitrary<UnknownEventCase> {
  return fc.record({ names: name.map((only) => [only]), notification: draw.notification() });
}

const word = lazily(() => fc.stringMatching(/^[a-z][a-z_]{0,11}$/));

/** Names that look like events of the contract, and are none. */
function eventName(draw: Draw): Arbitrary<string> {
  const known = new Set(draw.contract.events.map((event) => event.name));
  return fc
    .array(word, { minLength: 2, maxLength: 4 })
    .map((parts) => parts.join('.'))
    .filter((name) => !known.has(name));
}

/** Names that are near to one of the catalogue. One that is empty is a name of its own, which may be refused. */
function misspelt(draw: Draw): readonly Arbitrary<string>[] {
  const names = draw.contract.events.map(({ name }) => name);
  const isPossible = canCome(draw);
  const kinds = unknownEventKinds(names, (name) => name === '' || isPossible(name));
  return kinds.map((kind) => kind.map(({ name }) => (name === '' ? '-' : name)));
}

/** Whether a delivery of this contract can name an event so. */
function canCome({ contract }: Draw): (name: string) => boolean {
  return (name) => contract.delivery.event.in !== 'header' || isHeaderValue(name);
}

/** Names of other alphabets, and names that mean something to a language, a query, a path or a pattern. */
const unheardOf: readonly string[] = [
  'e',
  '0',
  '7.1',
  'null',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__',
  'constructor.prototype',
  '.',
  'thing..updated',
  '.thing.updated.',
  'thing/updated',
  '../updated',
  'thing:updated',
  'thing-updated',
  'ThingUpdated',
  'thing updated',
  'a\tb\nc',
  '$where',
  "' OR 1=1 --",
  '%s%d%n',
  '{{7*7}}',
  '(a+)+$',
  '[',
  '\\',
  '*.*',
  'größe.geändert',
  '东西.更新',
  'ВЕЩЬ.ОБНОВЛЕНА',
  '\u{1f514}.\u{1f4e6}',
  '\u202ething.updated',
];

/** What long names consist of: it is what patterns for names of events repeat. */
const repeated = ['a', 'a.', 'thing.updated.', '_', '0', ' ', '.', 'é'] as const;

/** Short steps: where the time doubles with each character, the first name that takes too long is soon over. */
const lengths = [...Array.from({ length: 9 }, (_, step) => 16 + 2 * step), longest, 1000, 5000];

/** Names of more and more of the same. */
function ladder(part: string): readonly string[] {
  return lengths.map((length) => longName(part, length));
}

/** The end fits no pattern for such names, so that one that can divide a name in many ways tries them all. */
function longName(part: string, length: number): string {
  return `${part.repeat(Math.ceil(length / part.length)).slice(0, length - 1)}!`;
}

function shown(name: string): string {
  return name.length <= 70
    ? JSON.stringify(name)
    : `${JSON.stringify(name.slice(0, 30))}... (${name.length} characters)`;
}
