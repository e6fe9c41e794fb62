import fc, { type Arbitrary } from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceCheck } from '../../check.ts';
import type { Header } from '../../delivery.ts';
import type { CatchScript } from '../../exchange.ts';
import { itemOf } from '../../items.ts';
import type { Notified, ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { firstDelivery, type FirstDelivery } from '../firstDelivery.ts';
import { expectAttempt, expectAttempts } from '../redelivery.ts';
import { accept, describeStep, formed, refuse, type Respond } from '../steps.ts';
import type { Contract } from '../../../spec/contract.ts';
import { statusTerms } from '../../../spec/serviceTerms.ts';

/** Final statuses that servers really send, of every class (RFC 9110, and a few that are not registered). */
const known = [
  203, 205, 206, 207, 226, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410,
  411, 413, 415, 418, 421, 422, 425, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 520, 599,
];

/** The same, of those that few servers send, and 409, which says of a retry that it came already. The first refuses a first attempt: code that judges retries meets one of success. */
const rare = [
  412, 208, 414, 416, 417, 419, 423, 424, 426, 409, 444, 449, 494, 495, 505, 506, 508, 509, 510, 521, 522, 523, 524,
  530,
];

/** Those that do not end a delivery under this contract. */
function refusing({ delivery }: Contract, statuses: readonly number[]): readonly number[] {
  return statuses.filter((status) => !delivery.acceptedStatuses.includes(status));
}

/** In rows that each refuse one notification as often as it is retried. */
function rowsOf<Item>({ delivery }: Contract, all: readonly Item[]): readonly (readonly Item[])[] {
  const width = Math.max(1, delivery.retries);
  return Array.from({ length: Math.ceil(all.length / width) }, (_, row) => all.slice(row * width, (row + 1) * width));
}

/** A row of any. */
function anyRow(contract: Contract): Arbitrary<number[]> {
  const width = Math.max(1, contract.delivery.retries);
  const any = fc.integer({ min: 200, max: 599 }).filter((status) => refusing(contract, [status]).length > 0);
  return fc.uniqueArray(any, { minLength: width, maxLength: width });
}

/** Refusals whose status alone counts, as an acceptance's does: what else they say may be large, or in any coding. */
const oddRefusals: readonly Respond[] = [
  ...formed({ status: 500 }),
  { do: 'respond', status: 502, bodyBytes: 1024 * 1024 },
];

/** What refuses a notification, one attempt after the other. */
type Refusal = { readonly answers: readonly Respond[] };

const tooWide =
  "Only the accepting statuses of the contract end a delivery. Other 2xx, redirects and all 4xx are retried: a library's " +
  '"ok" (200 to 299) is too wide, and "client errors are final" is not what is agreed here. Read Retry-After as seconds or as ' +
  'a date (RFC 9110, 10.2.3), and retry all the same where it is neither. Read so much of the body as you keep, and store it as bytes: it may be large, no UTF-8, and hold a NUL.';

/** Section 4.4: every status but the accepting ones brings a retry. */
const refusedStatus = serviceCheck<Refusal>({
  id: 'service/refusals/refused-status',
  title: 'sends again after every status that does not accept',
  requirements: ['DLV-3'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 1.4,
  cases: ({ contract }) => {
    const refusals = (status: number, ...headers: readonly Header[]) =>
      fc.constant({ answers: [refuse(status, headers)] });
    return [
      ...refusing(contract, known).map((status) => refusals(status)),
      ...[429, 503].flatMap((status) => waits.map((wait) => refusals(status, ['Retry-After', wait]))),
      refusals(401, ['WWW-Authenticate', 'Basic realm="kit"']),
      refusals(410, ['Cache-Control', 'max-age=31536000']),
      ...rowsOf(contract, refusing(contract, rare)).map((row) =>
        fc.constant({ answers: row.map((status) => refuse(status)) }),
      ),
      ...rowsOf(contract, oddRefusals).map((answers) => fc.constant({ answers })),
      anyRow(contract).map((row) => ({ answers: row.map((status) => refuse(status)) })),
    ];
  },
  run: async (kit, { answers }) => {
    const script = [...answers, accept(kit.contract)] as unknown as CatchScript;
    const delivery = await firstDelivery(kit, { script });
    const { status, headers = [] } = itemOf(answers, 0);
    const [, asked] = headers.find(([name]) => name === 'Retry-After') ?? [];
    if (asked !== undefined) await heedOf(kit, delivery, { status, asked });
    return expectAttempts(kit, delivery, answers, 'DLV-3');
  },
  hint: tooWide,
});

/** What a receiver may ask for: seconds, a date, and what is neither. */
const waits = ['0', '1', 'Wed, 21 Oct 2015 07:28:00 GMT', 'soon'];

/**
 * Observes whether a retry waits for as long as Retry-After asks (GAP-18).
 *
 * @throws Unobservable where none has come that may be waiting for longer still
 */
async function heedOf(
  kit: ServiceKit,
  { notified }: FirstDelivery,
  { status, asked }: { readonly status: number; readonly asked: string },
): Promise<void> {
  const pause = Number(asked) * 1000;
  if (!(pause > 0)) return;
  const retry = await kit.soon(() => notified.attempts[1], pause + kit.overdueAfter({ took: pause, timeout: 0 }));
  if (retry === undefined) return expectGivenUp(kit, notified);
  // It was answered at once. On a busy machine its end may have been noted late.
  const took = retry.at - notified.attempts[0].at;
  const heeded = took >= 0.9 * pause ? 'no retry comes sooner' : 'is not waited for';
  const evidence = `the retry came ${took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`} after the refusal`;
  kit.observe('GAP-18', `Retry-After: ${asked} of a ${status}: ${heeded}`, evidence);
}

/** A service may wait for longer than it is asked to: only what is listed as failed is given up. */
async function expectGivenUp(kit: ServiceKit, { id }: Notified): Promise<void> {
  const listed = (await kit.listed([id])).get(id);
  if (listed?.status === statusTerms(kit.terms).exhausted) return;
  throw new Unobservable('the service waits for longer than Retry-After asks, if it sends again');
}

const redirects = [301, 302, 303, 307, 308];

/** Where a redirect leads to: the kit's own origin, by its whole URL or its path alone, or another one. */
type Place = 'the same origin' | 'the same origin, by its path' | 'another origin';

interface Redirect {
  readonly status: number;
  readonly place: Place;
  /** Attempts that are refused before. */
  readonly failures: number;
}

/** Section 4.4: a redirect is one of the other statuses. */
const redirect = serviceCheck<Redirect>({
  id: 'service/refusals/redirect',
  title: 'does not follow a redirect, and sends again to the registered URL',
  requirements: ['DLV-3'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.15,
  cases: () => {
    const redirected = (place: Place, failures: number, ...statuses: readonly number[]) =>
      fc.record({ status: fc.constantFrom(...statuses), place: fc.constant(place), failures: fc.constant(failures) });
    return [
      ...redirects.flatMap((status) => [
        redirected('the same origin', 0, status),
        redirected('another origin', 0, status),
        redirected('the same origin, by its path', 0, status),
      ]),
      redirected('the same origin', 1, 302, 303),
      redirected('another origin', 1, 307, 308),
    ];
  },
  run: async (kit, { status, place, failures }) => {
    const target = place === 'another origin' ? await kit.endpointElsewhere() : kit.endpoint();
    const isPath = place === 'the same origin, by its path';
    const location = isPath ? target.url.replace(/^[a-z]+:\/\/[^/]*/, '') : target.url;
    const step = refuse(status, [['Location', location]]);
    const before = Array.from({ length: failures }, () => refuse());
    const delivery = await firstDelivery(kit, { script: [...before, step, accept(kit.contract)] as never });
    if (failures > 0 && !(await kit.untilAttempt(delivery.notified, failures + 1)))
      throw new Unproven('it was not retried, so no retry was redirected');
    const point = { requirement: 'DLV-3', after: describeStep(step) } as const;
    const missing = await expectAttempt(kit, delivery, failures + 2, point);
    const [followed] = target.caught;
    if (followed === undefined) return missing && { hint: tooWide, ...missing };
    const isSigned = kit.header(followed, kit.assumption('signature.header')) !== undefined;
    return finding('DLV-3', {
      expected: `${status} is retried at the registered URL, and its Location is left alone`,
      actual: `a ${followed.method} arrived at the Location, at ${place}${isSigned ? ', signature included' : ''}`,
      exchanges: [...delivery.notified.attempts.slice(failures, failures + 1), followed],
    });
  },
  hint: 'Switch off redirects in the HTTP client (`redirect: "manual"`, `maxRedirections: 0`), for retries as well; most follow them unasked, some turn the POST into a GET, and the signature and the custom headers then go to a host that nobody registered.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const refusalsChecks: readonly ServiceCheck[] = [refusedStatus, redirect];
