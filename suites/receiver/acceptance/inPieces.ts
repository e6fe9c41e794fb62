import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { WireStep } from '../../delivery.ts';
import { acceptedTwin, expectAccepted } from '../expectation.ts';
import { betweenParts, headInTwo, headThenBodyInTwo, onWire, overOwnConnection } from '../onWire.ts';

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
