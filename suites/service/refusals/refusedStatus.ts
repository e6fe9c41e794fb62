import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../../spec/contract.ts';

/** Final statuses that servers really send, of every class (RFC 9110, and a few that are not registered). */
const known = [
  203, 205, 206, 207, 226, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410,
  411, 413, 415, 418, 421, 422, 425, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 520, 599,
];

/** The well-known statuses that do not end a delivery under this contract. */
export function refusedStatuses({ delivery }: Contract): readonly number[] {
  return known.filter((status) => !delivery.acceptedStatuses.includes(status));
}

/** Any final status that does not end a delivery. */
export function anyRefusedStatus({ delivery }: Contract): Arbitrary<number> {
  return fc.integer({ min: 200, max: 599 }).filter((status) => !delivery.acceptedStatuses.includes(status));
}
