import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer, withoutPointer } from '../../../generators/json/jsonPointer.ts';
import { shippingLineScacs } from '../../../generators/contracts/tracking/tradeNumbers.ts';
import { describeAnswer } from '../../answer.ts';
import { counted } from '../../items.ts';
import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call, Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import {
  mentions,
  includedIds,
  isListed,
  isTaken,
  withinWindow,
  requestId,
  track,
  trackAndHear,
} from './trackingRun.ts';
import { type TrackedNumber, trackingBody } from '../../service/trackingBody.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';

/** Sections 2.3 and 7: a number that the line does not know never succeeds. */
export const unknownNumber = serviceCheck<TrackedNumber & { readonly otherwise?: boolean }>({
  id: 'service/tracking/unknown-number',
  title: 'never finds a number that the carrier does not know',
  requirements: ['TRQ-3', 'LST-3'],
  about: ['tracking'],
  needs: ['untrackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: ({ untrackable }) => [
    ...untrackable.slice(0, 3).map((tracked) => fc.constant(tracked)),
    ...untrackable.slice(0, 1).map((tracked) => fc.constant({ ...tracked, otherwise: true })),
  ],
  run: async (kit, { otherwise = false, ...tracked }) => {
    if (otherwise) return foundOtherwise(kit, tracked);
    const notified = await notifiedOfUnknown(kit, tracked);
    if (notified !== undefined && !(notified instanceof Unproven)) return notified;
    if (isUnmistakable(kit, tracked) && (await isListed(kit, 'records', tracked))) {
      return finding('TRQ-3', {
        expected: 'no shipment for a number that the carrier does not know',
        actual: `a shipment with the number ${tracked.number} is listed`,
        exchanges: kit.exchanges.slice(-1),
      });
    }
    if (notified !== undefined) throw notified;
    return expectListed(kit, tracked);
  },
  hint: 'Say that tracking failed when the line does not know the number, rather than waiting or making a record up.',
});

/**
 * Section 2.3 with GAP-2: a request of another type finds it no more. Which types there are, and what is said of them when, is
 * open: what is not heard soon says nothing.
 */
async function foundOtherwise(kit: ServiceKit, tracked: TrackedNumber): Promise<ServiceFinding | undefined> {
  const { requestType } = trackingTerms(kit.terms);
  const given = kit.assumption('requestTypes').split(',');
  const types = given.map((each) => each.trim()).filter((each) => each !== requestType);
  const sightings = await Promise.all(types.map((type) => foundAs(kit, tracked, type)));
  for (const [place, type] of types.entries()) {
    let seen = sightings[place];
    // It may have been about another request, where it does not say which: then it has to come again.
    if (seen?.isCertain === false) seen = await foundAs(kit, tracked, type);
    if (seen === undefined) continue;
    const { call, notified, isCertain } = seen;
    const actual = `a request of the type ${type} was taken, and then reported as found`;
    return finding('TRQ-3', {
      expected: 'a number that the carrier does not know is found under no type of request',
      actual,
      exchanges: [call, notified],
      absence: !isCertain,
      difference: `the request type is ${type}, not ${requestType}`,
    });
  }
  return undefined;
}

/** The news that a request of this type was found; nothing where it was not taken, or none came soon. */
async function foundAs(kit: ServiceKit, tracked: TrackedNumber, type: string) {
  const { found } = trackingTerms(kit.terms);
  const { endpoint } = await kit.register({ events: [found] });
  const call = await track(kit, tracked, trackingBody(kit.terms, tracked, type));
  if (!isTaken(kit, call)) return undefined;
  const isNews = (caught: Caught) =>
    kit.delivered(caught, 'event') === found && isAbout(kit, caught, call, tracked) !== false;
  const news = () => endpoint.caught.find(isNews);
  const notified = await kit.soon(news, kit.overdueAfter({ took: 0, timeout: 0 }));
  return notified && { call, notified, isCertain: isAbout(kit, notified, call, tracked) !== undefined };
}

/** What was said of such a number, or why nothing can be said of that: its records are looked for all the same. */
function notifiedOfUnknown(kit: ServiceKit, tracked: TrackedNumber): Promise<ServiceFinding | Unproven | undefined> {
  const body = trackingBody(kit.terms, tracked);
  return expectNotFound(kit, tracked, body, { requirement: 'TRQ-3' }).catch((error: unknown) => {
    if (error instanceof Unproven) return error;
    throw error;
  });
}

/** A request that was taken is listed, also where nothing was found: the list is polled for failure too. */
async function expectListed(kit: ServiceKit, { number }: TrackedNumber): Promise<ServiceFinding | undefined> {
  const taken = kit.exchanges.find(
    (each): each is Call =>
      each.kind === 'call' &&
      each.request.operationId === kit.contract.operation('track').operationId &&
      isTaken(kit, each),
  );
  if (taken === undefined) return undefined;
  const { items, pages, complete } = await kit.list('tracked');
  const id = requestId(kit, taken);
  const isThere = items.some((item) => mentions(item, number) || (id !== '' && mentions(item, id)));
  if (isThere || !complete) return undefined;
  return finding('LST-3', {
    expected: 'a tracking request that was taken is listed, also when nothing was found',
    actual: `no request for ${number} is listed`,
    exchanges: [taken, ...pages.slice(0, 1)],
    absence: true,
  });
}

interface WrongScac {
  readonly tracked: TrackedNumber;
  /** In the place of the SCAC; nothing leaves it out. */
  readonly instead: Json | undefined;
}

/** Section 2.3: the SCAC is required, and a shipping line's. */
export const wrongScac = serviceCheck<WrongScac>({
  id: 'service/tracking/wrong-scac',
  title: 'refuses a tracking request without the SCAC of a shipping line, or says that it failed',
  requirements: ['TRQ-4'],
  about: ['tracking'],
  needs: ['trackable'],
  // News that names no number may be that of one that the carrier does not know.
  schedule: { kind: 'alone' },
  weight: 0.15,
  cases: ({ trackable }) =>
    [undefined, null, '', 7, 'not a scac', `${shippingLineScacs[0]}X`, 'ZZZZ', 'QQQQ'].map((instead) =>
      fc.constantFrom(...trackable).map((tracked) => ({ tracked, instead })),
    ),
  run: async (kit, { tracked, instead }) => {
    const pointer = trackingTerms(kit.terms).wrapper + trackingTerms(kit.terms).members.issuer;
    const right = trackingBody(kit.terms, tracked);
    const body = instead === undefined ? withoutPointer(right, pointer) : withPointer(right, pointer, instead);
    const difference = instead === undefined ? 'the SCAC left out' : `the SCAC is ${JSON.stringify(instead)}`;
    const found = await expectNotFound(kit, tracked, body, { requirement: 'TRQ-4', difference });
    if (found) return found;
    await expectTakenTwin(kit, tracked);
    return undefined;
  },
  hint: 'Require the SCAC, look it up in the list of shipping lines, and refuse what is not in it before asking anyone.',
});

/** The request must be refused, or end with the news that it failed: never with the news that it was found. */
async function expectNotFound(
  kit: ServiceKit,
  tracked: TrackedNumber,
  body: Json,
  point: { readonly requirement: RequirementId; readonly difference?: string },
): Promise<ServiceFinding | undefined> {
  const { found, unknown } = trackingTerms(kit.terms);
  const webhook = await kit.register({ events: [found, unknown] });
  const call = await track(kit, tracked, body);
  if (kit.refused(call)) return undefined;
  const { requirement, ...rest } = point;
  const expected = 'a refusal, or the news that tracking failed';
  if (!isTaken(kit, call)) {
    const actual = describeAnswer(call.answer);
    return finding(requirement, { expected, actual, exchanges: [call], absence: true, ...rest });
  }
  const notified = await withinWindow(kit, webhook, () => newsOf(kit, webhook, call, tracked));
  if (notified === undefined) {
    const others = webhook.endpoint.caught.length;
    const heard = others === 0 ? 'nothing' : `nothing but ${counted(others, 'notification')} of other requests`;
    throw new Unproven(
      `${heard} was heard of the tracking request yet; --retry-window 5m waits for the few minutes that it may take`,
    );
  }
  if (kit.delivered(notified, 'event') !== found) return undefined;
  const actual = `it was taken (${describeAnswer(call.answer)}), and then reported as found`;
  const absence = isAbout(kit, notified, call, tracked) === undefined;
  return finding(requirement, { expected, actual, exchanges: [call, notified], absence, ...rest });
}

/**
 * What the webhook was notified of this request. News that does not say what it is about may be that of an earlier request:
 * then others are waited for.
 */
async function newsOf(
  kit: ServiceKit,
  { endpoint }: Webhook,
  call: Call,
  tracked: TrackedNumber,
): Promise<Caught | undefined> {
  const choose = (): Caught | undefined => {
    const possible = endpoint.caught.filter((caught) => isAbout(kit, caught, call, tracked) !== false);
    const sure = possible.filter((caught) => isAbout(kit, caught, call, tracked) === true);
    const isFound = (caught: Caught): boolean => kit.delivered(caught, 'event') === trackingTerms(kit.terms).found;
    return (
      sure.find(isFound) ??
      sure[0] ??
      possible.find((caught) => kit.delivered(caught, 'event') === trackingTerms(kit.terms).unknown)
    );
  };
  const chosen = choose();
  if (chosen !== undefined || endpoint.caught.length === 0) return chosen;
  await kit.settle();
  return choose() ?? endpoint.caught.find((caught) => isAbout(kit, caught, call, tracked) !== false);
}

/** Whether a delivery is about this request; nothing where it does not say. */
function isAbout(kit: ServiceKit, caught: Caught, call: Call, tracked: TrackedNumber): boolean | undefined {
  const { number } = tracked;
  const json = kit.deliveredJson(caught) ?? null;
  const id = requestId(kit, call);
  if (id !== '' && mentions(json, id)) return true;
  if (isUnmistakable(kit, tracked) && mentions(json, number)) return true;
  if (includedIds(kit, caught).length === 0) return mentions(json, number) ? true : undefined;
  // Which records come with the news that tracking failed is not described (GAP-1): they may say nothing of any request.
  if (
    id !== '' &&
    kit.delivered(caught, 'event') === trackingTerms(kit.terms).unknown &&
    !hasRequest(kit, caught, call)
  )
    return undefined;
  // Records that name no request and no number that the kit knows may be of any (GAP-3).
  const numbers = [...kit.trackable, ...kit.untrackable].map((each) => each.number);
  if (!hasRequest(kit, caught, call) && !numbers.some((each) => mentions(json, each))) return undefined;
  return id === '' && mentions(json, number);
}

/** Whether a delivery brings along a record of the type that the answer to a tracking request has. */
function hasRequest(kit: ServiceKit, caught: Caught, call: Call): boolean {
  const typeAt = (value: Json, wrapper = ''): unknown => valueAt(value, wrapper + kit.terms.webhook.members.type);
  const type = typeAt(kit.json(call) ?? null, trackingTerms(kit.terms).wrapper);
  const included = kit.delivered(caught, 'included');
  return Array.isArray(included) && included.some((resource: Json) => typeAt(resource) === type);
}

/**
 * Whether nothing can rightly be found under this number, so that whatever mentions it as found is wrong: it is one that
 * the carrier does not know, and no part of one that it does.
 */
function isUnmistakable({ trackable, untrackable }: ServiceKit, { number }: TrackedNumber): boolean {
  const isUnknown = untrackable.some((other) => other.number === number);
  return isUnknown && !trackable.some((other) => other.number.includes(number));
}

/** The same request with the right SCAC is taken, or was before. @throws Unproven */
async function expectTakenTwin(kit: ServiceKit, tracked: TrackedNumber): Promise<void> {
  if (await isListed(kit, 'tracked', tracked)) return;
  const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
  const call = await trackAndHear(kit, webhook, tracked);
  if (isTaken(kit, call)) return;
  throw new Unproven(`the same request with the right SCAC was not taken either: ${describeAnswer(call.answer)}`);
}
