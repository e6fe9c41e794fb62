import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, isOverloaded, surplusOf } from '../../answer.ts';
import { receiverCheck, Undecidable, Unproven } from '../../check.ts';
import type { Answer, Attempt, Delivery, WireStep } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import { finding } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, attemptsOf, expectAccepted, attempt } from '../expectation.ts';
import { forge, plainForgery } from '../forgery.ts';
import { betweenParts, headInTwo, headThenBodyInTwo, onWire, overOwnConnection } from '../onWire.ts';

/**
 * What comes before the last delivery of a connection: many that are accepted, or one that is refused. Some refuse by the headers
 * alone, and take the body that they did not read for the next request.
 */
const befores = [
  'others',
  'a forged delivery',
  'a delivery without a signature',
  'a delivery of another media type',
  'a body that is no JSON',
] as const;
type Before = (typeof befores)[number];

/** Deliveries over one connection, and milliseconds that they may take: a slow receiver gets fewer. */
const most = { deliveries: 60, ms: 2000 } as const;

/** Section 4.4: a connection that is kept serves its last request as its first. Behind a proxy, strangers may share it. */
export const oneConnection = receiverCheck<{ notification: Notification; before: Before }>({
  id: 'receiver/acceptance/one-connection',
  title: 'accepts one notification after the other over the same connection',
  requirements: ['RCV-1', 'ROB-1'],
  needs: [],
  // One case of each: the first takes many deliveries.
  weight: 0,
  cases: (draw) =>
    possible(draw).map((before) => fc.record({ before: fc.constant(before), notification: draw.notification() })),
  run: async (kit, { notification, before }) => {
    if (kit.takesForged) throw new Unproven('right signatures are refused (VRF-1), so none is accepted as it should');
    const { answer: first } = await acceptedTwin(kit, kit.compose(notification));
    const deliveries = inOrder(kit, notification, before, first.ms);
    const sent = attemptsOf(deliveries, await kit.inTurn(deliveries));
    const genuine = before === 'others' ? sent : sent.slice(1);
    const refused = genuine.find((each) => isRefused(kit, each));
    if (refused === undefined) return undefined;
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const place = sent.indexOf(refused);
    const difference =
      before === 'others' ? `delivery ${place + 1} over one connection` : `on the connection of ${before} before it`;
    return finding(
      { requirement: before === 'others' ? 'RCV-1' : 'ROB-1', twin, difference, concurrent: true },
      {
        attempts: [...sent.slice(Math.max(0, place - 1), place), refused],
        expected: `the delivery is accepted: status ${acceptedStatuses(kit)}`,
        actual: describeAnswer(refused.answer),
        absence: true,
      },
    );
  },
  hint:
    'Something is counted or kept for each connection: a limit of requests, a state of the one before, a body that was not read ' +
    'to its end and is taken for the next request. Keep nothing of a request once it is answered. Where you answer before you ' +
    'have read the body, read what is left of it, or close the connection (Connection: close).',
});

function possible({ secrets }: Draw): readonly Before[] {
  const needSecret: readonly Before[] = ['a forged delivery', 'a delivery without a signature'];
  return secrets.length > 0 ? befores : befores.filter((before) => !needSecret.includes(before));
}

function inOrder(kit: ReceiverKit, notification: Notification, before: Before, ms: number): readonly Delivery[] {
  const plain = kit.compose(notification);
  switch (before) {
    case 'others': {
      const count = Math.max(2, Math.min(most.deliveries, Math.floor(most.ms / ms)));
      return [plain, ...Array.from({ length: count - 1 }, () => kit.compose(notification))];
    }
    case 'a forged delivery':
      return [forge(kit, kit.compose(notification), plainForgery), plain];
    case 'a delivery without a signature':
      return [forge(kit, kit.compose(notification), { kind: 'no signature header' }), plain];
    case 'a delivery of another media type':
      return [kit.compose(notification, { contentType: 'text/plain' }), plain];
    case 'a body that is no JSON':
      return [kit.withBody(kit.compose(notification), Buffer.from('{')), plain];
  }
}

function isRefused(kit: ReceiverKit, { answer }: Attempt): boolean {
  if (answer.kind === 'timed-out') return true;
  return answer.kind === 'answered' && !kit.accepts(answer) && !isOverloaded(answer);
}

/** Where a request is cut. */
interface Cut {
  readonly name: string;
  readonly places: fc.Arbitrary<number>;
  /** What is sent, with this between the parts. Default: the places are bytes of the head, from its end where negative. */
  readonly steps?: (place: number, pause: WireStep) => readonly WireStep[];
  /** How a receiver usually gets it wrong. Default: as the check says. */
  readonly hint?: string;
}

const cuts: readonly Cut[] = [
  // Not within the address: the server that PHP brings (`php -S`) breaks the connection there, with any receiver.
  { name: 'within the method', places: fc.integer({ min: 1, max: 4 }) },
  { name: 'within the headers', places: fc.integer({ min: 40, max: 110 }) },
  { name: 'within the empty line behind the headers', places: fc.integer({ min: -3, max: -1 }) },
  {
    name: 'between the headers and the body, and within the body',
    places: fc.integer({ min: 10, max: 90 }),
    steps: (percent, pause) => headThenBodyInTwo(percent / 100, pause),
    hint:
      'What one read, or one call of your handler, brought was taken for all of the body. Collect the parts until the body ends, and only ' +
      'then verify and parse all of them.',
  },
];

/** RFC 9112, section 2.2, and RFC 9293: a connection carries a stream of bytes, and no packet of it means anything. */
export const inPieces = receiverCheck<{ cut: Cut; place: number; notification: Notification }>({
  id: 'receiver/acceptance/in-pieces',
  title: 'accepts a delivery whose request line, headers or body come in parts',
  requirements: ['RCV-1'],
  needs: [],
  weight: 0.1,
  cases: (draw) =>
    cuts.map((cut) => fc.record({ cut: fc.constant(cut), place: cut.places, notification: draw.notification() })),
  run: async (kit, { cut, place, notification }) => {
    if (kit.takesForged) throw new Unproven('right signatures are refused (VRF-1), so none is accepted as it should');
    const whole = () => overOwnConnection(kit.compose(notification));
    const twin = await acceptedTwin(kit, whole());
    const steps = (cut.steps ?? headInTwo)(place, { pause: betweenParts });
    const found = await expectAccepted(kit, onWire(kit.compose(notification), steps), {
      requirement: 'RCV-1',
      twin,
      difference: `the request comes in parts, ${betweenParts} ms apart, cut ${cut.name}`,
      hint: cut.hint,
    });
    // A receiver may have places for so many connections, and no more.
    if (found?.attempts.at(-1)?.answer.kind === 'broken' && (await kit.deliver(whole())).kind === 'broken')
      throw new Unproven('a whole request over a connection of its own got no answer either');
    return found;
  },
  hint:
    'What one read of the connection returned was taken for all of the head, or of the request. Read on until the empty line ' +
    'has come, and then as many bytes of the body as Content-Length says. An HTTP server of your platform does both.',
});

/** Deliveries that receivers answer in different places of their code. */
const kinds = ['a delivery', 'a redelivery', 'a forged delivery', 'a body that is no JSON'] as const;
type Kind = (typeof kinds)[number];

/** RFC 9112, section 6.3: where an answer ends is known to both sides, and what comes behind it belongs to the next one. */
export const answerEnds = receiverCheck<{ notification: Notification; kind: Kind }>({
  id: 'receiver/acceptance/answer-ends',
  title: 'sends nothing behind the end of its answers',
  requirements: ['ROB-1'],
  needs: [],
  weight: 0.1,
  cases: (draw) =>
    kinds
      .filter((kind) => kind !== 'a forged delivery' || draw.secrets.length > 0)
      .map((kind) => fc.record({ kind: fc.constant(kind), notification: draw.notification() })),
  run: async (kit, { notification, kind }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = overOwnConnection(deliveryOf(kit, kind, notification, twin.delivery));
    const answer = await kit.deliver({ ...delivery, wire: { ...delivery.wire, readsOn: true } });
    // Its twin was answered: what gets none in all of its time gets none at another try.
    if (answer.kind === 'timed-out') throw new Undecidable(unseen(answer));
    if (answer.kind !== 'answered') throw new Unproven(unseen(answer));
    const surplus = surplusOf(answer);
    if (surplus === undefined) return undefined;
    return finding(
      { requirement: 'ROB-1', difference: `the answer to ${kind}` },
      {
        attempts: [attempt(delivery, answer)],
        expected: 'nothing behind the end of the answer: a sender takes that for the beginning of the next one',
        actual: `${describeAnswer(answer)}, and ${surplus}`,
        absence: false,
      },
    );
  },
  hint:
    'A 204 has no body, and a body ends where its Content-Length says: count bytes, not characters. Answer once for each ' +
    'request, and return afterwards. What is left over breaks the next delivery over the same connection.',
});

function unseen(answer: Answer): string {
  return `no answer was seen: ${describeAnswer(answer)}`;
}

function deliveryOf(kit: ReceiverKit, kind: Kind, notification: Notification, accepted: Delivery): Delivery {
  switch (kind) {
    case 'a delivery':
      return kit.compose(notification);
    case 'a redelivery':
      return kit.withBody(accepted, accepted.body);
    case 'a forged delivery':
      return forge(kit, kit.compose(notification), plainForgery);
    case 'a body that is no JSON':
      return kit.withBody(kit.compose(notification), Buffer.from('{'));
  }
}
