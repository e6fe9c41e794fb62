import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import { acceptedTwin, expectAccepted } from '../expectation.ts';
import { headInTwo, onWire, overOwnConnection } from '../onWire.ts';

/** Milliseconds between two parts: long enough for them to be read one after the other. */
const between = 25;

/** Where a request is cut. The numbers are bytes of its head, from its end where negative. */
interface Cut {
  readonly name: string;
  readonly places: fc.Arbitrary<number>;
}

const cuts: readonly Cut[] = [
  { name: 'within the request line', places: fc.integer({ min: 1, max: 8 }) },
  { name: 'within the headers', places: fc.integer({ min: 40, max: 110 }) },
  { name: 'within the empty line behind the headers', places: fc.integer({ min: -3, max: -1 }) },
  { name: 'between the headers and the body', places: fc.constant(Number.MAX_SAFE_INTEGER) },
];

/** RFC 9112, section 2.2, and RFC 9293: a connection carries a stream of bytes, and no packet of it means anything. */
export const inPieces = receiverCheck<{ cut: Cut; place: number; notification: Notification }>({
  id: 'receiver/acceptance/in-pieces',
  title: 'accepts a delivery whose request line or headers come in two parts',
  requirements: ['RCV-1'],
  needs: [],
  weight: 0.1,
  cases: (draw) =>
    cuts.map((cut) => fc.record({ cut: fc.constant(cut), place: cut.places, notification: draw.notification() })),
  run: async (kit, { cut, place, notification }) => {
    if (kit.takesForged) throw new Unproven('right signatures are refused (VRF-1), so none is accepted as it should');
    const twin = await acceptedTwin(kit, overOwnConnection(kit.compose(notification)));
    return expectAccepted(kit, onWire(kit.compose(notification), headInTwo(place, { pause: between })), {
      requirement: 'RCV-1',
      twin,
      difference: `the request comes in two parts, ${between} ms apart, cut ${cut.name}`,
    });
  },
  hint:
    'What one read of the connection returned was taken for all of the head, or of the request. Read on until the empty line ' +
    'has come, and then as many bytes of the body as Content-Length says. An HTTP server of your platform does both.',
});
