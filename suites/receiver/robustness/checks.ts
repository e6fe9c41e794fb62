import fc from 'fast-check';

import { largeNat } from '../../../generators/arbitraries.ts';
import { inSingleQuotes } from '../spoiling.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { type Point, finding } from '../../finding.ts';
import { heldAt, heldWithinHead, overOwnConnection } from '../onWire.ts';
import { acceptedTwin, attempt, expectAccepted } from '../expectation.ts';
import { expectAnswered, expectIllegalRefused, hostileCheck, unansweredHint } from './hostile.ts';
import { expectUnpolluted } from './pollution.ts';
import { expectStillServing } from '../stillServing.ts';
import { unusualEncoding, oversizedBodies } from './hostileBodies.ts';
import { unusualFraming, unusualContentType, otherMethods, illegalHttp } from './hostileHttp.ts';
import { spentBudget } from './spentBudget.ts';
import { counted, itemOf } from '../../items.ts';

/** What of a request comes slowly. */
const parts = ['body', 'head'] as const;
type Part = (typeof parts)[number];
const plural = { body: 'the bodies', head: 'the heads' } as const;

/**
 * Senders that nobody may be kept waiting by. A receiver may have places for twenty connections, and no more: how many it needs
 * is for who runs it to say, and a service delivers again what it has no place for.
 */
const few = 10;

/** Idle connections of which it is said only what becomes of the others. */
const crowd = 150;

/** Milliseconds for slow requests to arrive before the fast one is sent. */
const headStart = 20;

/** Section 4.4: one slow sender is not the others' problem. */
const slowBodies = receiverCheck<{ notification: Notification; slow: number; sent: number; part: Part }>({
  id: 'receiver/robustness/slow-bodies',
  title: 'serves others while some bodies or headers arrive slowly',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.15,
  cases: (draw) =>
    parts.map((part) =>
      fc.record({
        part: fc.constant(part),
        slow: fc.integer({ min: 1, max: few }),
        sent: fc.double({ min: 0, max: 0.99, noNaN: true }),
        notification: draw.notification(),
      }),
    ),
  run: async (kit, { notification, slow, sent, part }) => {
    const hold = part === 'body' ? heldAt : heldWithinHead;
    const held = Array.from({ length: slow }, () => hold(kit.compose(notification), sent));
    const fast = kit.compose(kit.control);
    const { result } = await kit.besideHeld(held, async () => {
      await kit.pause(headStart);
      return expectInTime(kit, fast, {
        requirement: 'ROB-1',
        difference: `while ${slow === 1 ? `the ${part} of another request was` : `${plural[part]} of ${slow} other requests were`} on the way`,
        concurrent: true,
      });
    });
    const afterwards = await expectStillServing(kit, { requirement: 'ROB-1' });
    return result ?? afterwards;
  },
  hint:
    'Read requests without blocking, and hold no lock and no worker while you wait for the rest of one: the others wait as long, up ' +
    'to your time-out. If your server handles one connection at a time, put a proxy before it that passes a request on once all of ' +
    'it has come.',
});

/** A retry comes when the receiver has given the slow ones up, and says nothing of what became of the others before. */
async function expectInTime(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  const answer = await kit.deliver(delivery);
  if (answer.kind !== 'timed-out') return kit.accepts(answer) ? undefined : expectAccepted(kit, delivery, point);
  return finding(point, {
    attempts: [attempt(delivery, answer)],
    expected: 'a plain delivery is answered within its time-out',
    actual: describeAnswer(answer),
    absence: true,
  });
}

/** Section 4.4: connections on which nothing comes cost nothing. */
const idleConnections = receiverCheck<{ connections: number }>({
  id: 'receiver/robustness/idle-connections',
  title: 'serves others while some connections are idle',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.1,
  cases: () => [fc.constant({ connections: few })],
  run: async (kit, { connections }) => {
    const found = await servedBesideIdle(kit, connections);
    if (found) return found;
    const crowded = await servedBesideIdle(kit, crowd);
    const evidence = `${crowded?.actual}; ${counted(connections, 'idle connection')} kept nobody waiting`;
    if (crowded) kit.observe('ROB-1', `beside ${crowd} idle connections a delivery is not accepted`, evidence);
    return expectStillServing(kit, { requirement: 'ROB-1' });
  },
  hint:
    'Close idle connections after a while. A server with one process or thread per connection is blocked by ' +
    'clients that send nothing: let it have many of them, or put a proxy before it that passes a request on once all of it has come.',
});

async function servedBesideIdle(kit: ReceiverKit, connections: number): Promise<Finding | undefined> {
  // Those of a case before may still count.
  const twin = await acceptedTwin(kit, overOwnConnection(kit.compose(kit.control)));
  const difference = `beside ${counted(connections, 'idle connection')}`;
  return kit.besideIdle(connections, () =>
    expectFreshlyAccepted(kit, { requirement: 'ROB-1', twin, difference, concurrent: true }),
  );
}

/** A plain delivery over a connection of its own is accepted. */
async function expectFreshlyAccepted(kit: ReceiverKit, point: Point): Promise<Finding | undefined> {
  const plain = kit.compose(kit.control);
  const answer = itemOf(await kit.together([plain]), 0);
  if (kit.accepts(answer)) return undefined;
  return finding(point, {
    attempts: [attempt(plain, answer)],
    expected: 'a plain delivery over a new connection is accepted',
    actual: describeAnswer(answer),
    absence: true,
  });
}

interface Rewriting {
  readonly name: string;
  /** The body's text, changed. `scale` is generated: how deep, how long, how many. */
  readonly rewrite: (text: string, scale: number) => string;
  /** Whether other bodies may be read with what it says. */
  readonly pollutes?: true;
}

const laxParser =
  'It was accepted, so nothing parses the body before the answer, or the parser takes more than the standard allows: a comma ' +
  'before the last brace, single quotes or what follows the value, for example. Parse it before you accept it, in the strict ' +
  'mode of the parser, and answer 400 to what is no JSON.';

/** RFC 8259: what is no JSON, and no extension that the parser of a common language takes by itself, is refused. */
const malformedJson = hostileCheck<{ notification: Notification; rewriting: Rewriting; scale: number }>({
  id: 'receiver/robustness/malformed-json',
  title: 'refuses malformed JSON, and goes on serving',
  cases: (draw) => malformed.map((rewriting) => rewritten(draw.notification(), rewriting, 40)),
  run: (kit, { notification, rewriting, scale }) => {
    const delivery = kit.compose(notification, {
      rewrite: (body) => Buffer.from(rewriting.rewrite(body.toString(), scale)),
    });
    return expectIllegalRefused(kit, delivery, rewriting.name, laxParser);
  },
  hint: 'Catch the error of the JSON parser and answer 400. An uncaught one ends in a 500, or ends the process.',
});

/** JSON, and extensions of it, that no service sends: any answer will do, but the receiver must go on serving unharmed. */
const unusualJson = hostileCheck<{ notification: Notification; rewriting: Rewriting; scale: number }>({
  id: 'receiver/robustness/unusual-json',
  title: 'survives deep nesting, __proto__ members and extreme values in the body',
  cases: (draw) => unusual.map((rewriting) => rewritten(draw.notification(), rewriting, 50_000)),
  run: (kit, { notification, rewriting, scale }) =>
    (rewriting.pollutes ? expectUnpolluted : expectAnswered)(
      kit,
      kit.compose(notification, { rewrite: (body) => Buffer.from(rewriting.rewrite(body.toString(), scale)) }),
      rewriting.name,
      { hint: unansweredHint },
    ),
  hint:
    'Do not merge bodies into objects of your own (__proto__ then changes every object of the process), and do not walk ' +
    'them with a recursion that has no bound.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const robustnessChecks: readonly ReceiverCheck[] = [
  slowBodies,
  idleConnections,
  unusualFraming,
  unusualContentType,
  malformedJson,
  unusualJson,
  unusualEncoding,
  otherMethods,
  illegalHttp,
  oversizedBodies,
  spentBudget,
];

const malformed: readonly Rewriting[] = [
  {
    name: 'the body ends early',
    rewrite: (text, scale) => (/^[{[]/.test(text) ? text.slice(0, -1 - (scale % (text.length - 1))) : ''),
  },
  { name: 'a comma before the last brace', rewrite: (text) => text.replace(/[}\]]?$/, ',$&') },
  { name: 'text behind the value', rewrite: (text) => `${text} x` },
  { name: 'single quotes', rewrite: inSingleQuotes },
  { name: 'an unclosed string', rewrite: (text) => text.replace(/[}\]]?$/, ',"x":"$&') },
  { name: 'opening brackets without an end', rewrite: (_text, scale) => '['.repeat(scale * 500 + 1) },
];

const unusual: readonly Rewriting[] = [
  // RFC 8259, section 9: a parser may take extensions. That of Python takes NaN, that of Ruby comments.
  { name: 'NaN as a value', rewrite: (text) => member(text, 'x', 'NaN') },
  { name: 'a comment', rewrite: (text) => `/* x */${text}` },
  {
    name: 'deep nesting in a member',
    rewrite: (text, scale) => member(text, 'x', '['.repeat(scale) + ']'.repeat(scale)),
  },
  {
    name: 'deeply nested objects',
    rewrite: (text, scale) => member(text, 'x', `${'{"a":'.repeat(scale)}1${'}'.repeat(scale)}`),
  },
  { name: 'a __proto__ member', rewrite: (text) => member(text, '__proto__', poison(text)), pollutes: true },
  {
    name: 'a constructor.prototype member',
    rewrite: (text) => member(text, 'constructor', `{"prototype":${poison(text)}}`),
    pollutes: true,
  },
  {
    name: 'a __proto__ member in the data',
    rewrite: (text) =>
      text.replace('{"', `{"__proto__":${poison(text)},"`).replace(/:\{"/, `:{"__proto__":${poison(text)},"`),
    pollutes: true,
  },
  { name: 'a number beyond every range', rewrite: (text, scale) => member(text, 'x', `1e${scale + 400}`) },
  { name: 'a number of many digits', rewrite: (text, scale) => member(text, 'x', '9'.repeat(scale + 20)) },
  {
    name: 'many members',
    rewrite: (text, scale) => member(text, 'x', `{${Array.from({ length: scale }, (_, n) => `"m${n}":0`).join()}}`),
  },
  { name: 'a long member name', rewrite: (text, scale) => member(text, 'n'.repeat(scale + 1), '0') },
  { name: 'an empty member name', rewrite: (text) => member(text, '', '0') },
];

/** Members that would change what the receiver reads from other bodies, were they to end up on a prototype. */
function poison(text: string): string {
  const names = new Set([...text.matchAll(/"([a-z_]+)":/g)].map(([, name]) => name));
  return `{${[...names].map((name) => `"${name}":"polluted"`).join()}}`;
}

/** The body with one more member; a list gets an object with it, and anything else makes room for one. */
function member(text: string, name: string, value: string): string {
  const added = `${JSON.stringify(name)}:${value}`;
  if (text === '{}' || !/^[{[]/.test(text)) return `{${added}}`;
  if (text === '[]') return `[{${added}}]`;
  return text.startsWith('{') ? `${text.slice(0, -1)},${added}}` : `${text.slice(0, -1)},{${added}}]`;
}

function rewritten(notification: fc.Arbitrary<Notification>, rewriting: Rewriting, largest: number) {
  return fc.record({ notification, rewriting: fc.constant(rewriting), scale: largeNat(largest) });
}
