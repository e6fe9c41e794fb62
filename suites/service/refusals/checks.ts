import fc, { type Arbitrary } from 'fast-check';

import { serviceCheck } from '../../check.ts';
import type { Header } from '../../delivery.ts';
import { broken } from '../broken.ts';
import { firstDelivery } from '../firstDelivery.ts';
import { expectAttempt } from '../redelivery.ts';
import { acceptAfter, describeStep, refuse } from '../steps.ts';
import type { Contract } from '../../../spec/contract.ts';

/** Final statuses that servers really send, of every class (RFC 9110, and a few that are not registered). */
const known = [
  203, 205, 206, 207, 226, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410,
  411, 413, 415, 418, 421, 422, 425, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 520, 599,
];

/** The well-known statuses that do not end a delivery under this contract. */
function refusedStatuses({ delivery }: Contract): readonly number[] {
  return known.filter((status) => !delivery.acceptedStatuses.includes(status));
}

/** Any final status that does not end a delivery. */
function anyRefusedStatus({ delivery }: Contract): Arbitrary<number> {
  return fc.integer({ min: 200, max: 599 }).filter((status) => !delivery.acceptedStatuses.includes(status));
}

interface Refusal {
  readonly status: number;
  readonly headers: readonly Header[];
}

/** Section 4.4: every status but the accepting ones brings a retry. */
export const refusedStatus = serviceCheck<Refusal>({
  id: 'service/refusals/refused-status',
  title: 'sends again after every status that does not accept',
  requirements: ['DLV-3'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 1.4,
  cases: ({ contract }) => {
    const refusals = (status: number, ...headers: readonly Header[]) => fc.constant({ status, headers });
    return [
      ...refusedStatuses(contract).map((status) => refusals(status)),
      refusals(429, ['Retry-After', '0']),
      refusals(503, ['Retry-After', '0']),
      refusals(401, ['WWW-Authenticate', 'Basic realm="kit"']),
      refusals(410, ['Cache-Control', 'max-age=31536000']),
      fc.record({ status: anyRefusedStatus(contract), headers: fc.constant([]) }),
    ];
  },
  run: async (kit, { status, headers }) => {
    const step = refuse(status, headers);
    const delivery = await firstDelivery(kit, { script: acceptAfter(1, step, kit.contract) });
    return expectAttempt(kit, delivery, 2, { requirement: 'DLV-3', after: describeStep(step) });
  },
  hint:
    "Only the accepting statuses of the contract end a delivery. Other 2xx, redirects and all 4xx are retried: a library's " +
    '"ok" (200 to 299) is too wide, and "client errors are final" is not what is agreed here.',
});

const redirects = [301, 302, 303, 307, 308];

/** Section 4.4: a redirect is one of the other statuses. */
export const redirect = serviceCheck<{ readonly status: number; readonly relative: boolean }>({
  id: 'service/refusals/redirect',
  title: 'does not follow a redirect, and sends again to the registered URL',
  requirements: ['DLV-3'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.15,
  cases: () => [
    ...redirects.map((status) => fc.constant({ status, relative: false })),
    fc.record({ status: fc.constantFrom(...redirects), relative: fc.constant(true) }),
  ],
  run: async (kit, { status, relative }) => {
    const target = kit.endpoint();
    const location = relative ? target.url.replace(/^[a-z]+:\/\/[^/]*/, '') : target.url;
    const step = refuse(status, [['Location', location]]);
    const delivery = await firstDelivery(kit, { script: acceptAfter(1, step, kit.contract) });
    const missing = await expectAttempt(kit, delivery, 2, { requirement: 'DLV-3', after: describeStep(step) });
    const [followed] = target.caught;
    if (followed === undefined) return missing;
    return broken('DLV-3', {
      expected: `${status} is retried at the registered URL, and its Location is left alone`,
      actual: `a ${followed.method} arrived at the Location`,
      exchanges: [delivery.first, followed],
    });
  },
  hint: 'Switch off redirects in the HTTP client (`redirect: "manual"`, `maxRedirections: 0`); most follow them unasked, and some turn the POST into a GET.',
});
