import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck } from '../../check.ts';
import { acceptedTwin } from '../expectation.ts';
import { expectRead } from '../expectRead.ts';

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
