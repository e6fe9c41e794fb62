import type { OperationChoice } from '../../../spec/contract.ts';
import type { RequirementId } from '../../../spec/names.ts';
import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { parseDuration } from '../../../spec/units.ts';
import { Unproven, unlessUnobservable } from '../../check.ts';
import type { Call, Caught, Exchange } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { type TrackedNumber, trackingBody } from '../../service/trackingBody.ts';
import { finding } from '../../finding.ts';
import { describeAnswer, isAmong } from '../../answer.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';

/** Sends a tracking request. @param body - Default: the plain one for this number */
export function track(
  kit: ServiceKit,
  tracked: TrackedNumber,
  body: Json = trackingBody(kit.terms, tracked),
): Promise<Call> {
  return kit.call('track', { body });
}

/**
 * Sends a tracking request for a number that the service finds, and waits for the news: it would come to the next case
 * otherwise, which could not know whose it is.
 *
 * @param webhook - is notified when the number was found
 */
export async function trackAndHear(kit: ServiceKit, webhook: Webhook, tracked: TrackedNumber): Promise<Call> {
  const call = await track(kit, tracked);
  if (isTaken(kit, call)) await kit.untilCaught(webhook.endpoint, webhook.endpoint.caught.length + 1);
  return call;
}

/** Whether the answer says that the request was taken (GAP-11). */
export function isTaken(kit: ServiceKit, call: Call): boolean {
  return isAmong(kit, call, 'trackingRequest.response');
}

/** The items of a list; none where it cannot be read. */
export async function itemsOf(kit: ServiceKit, list: OperationChoice): Promise<readonly Json[]> {
  return (await kit.list(list).catch(unlessUnobservable))?.items ?? [];
}

/** What a list was answered with that no success is, which says nothing of its items; nothing where it was one. */
export function refusedList(kit: ServiceKit, read: readonly Exchange[]): string | undefined {
  const [refused] = read.filter((each) => each.kind === 'call' && !kit.succeeded(each));
  return refused?.kind === 'call' ? `the list was answered with ${describeAnswer(refused.answer)}` : undefined;
}

/** Whether a list holds something that mentions this number. */
export async function isListed(kit: ServiceKit, list: OperationChoice, { number }: TrackedNumber): Promise<boolean> {
  return (await itemsOf(kit, list)).some((item) => mentions(item, number));
}

/** How the waiting for something that comes of a tracking request ended. */
export interface Outcome {
  /** `there`: it came. `announced`: the service said that the number was found, and it did not come. `open`: time ran out. */
  readonly kind: 'there' | 'announced' | 'open';
  /** The delivery that said so. */
  readonly notification: Caught | undefined;
}

/** Section 8: how long a new request may take until it is visible, in milliseconds: a few minutes. */
const fewMinutes = parseDuration('5m');

/** How long is waited where the few minutes are not: then time shows nothing, and a quick service is quicker. */
const glance = parseDuration('10s');

/**
 * Asks again whenever the webhook was sent something, and now and then, until there is a result.
 *
 * @returns nothing where the time for it was over
 */
export async function withinWindow<T>(
  kit: ServiceKit,
  { endpoint }: Webhook,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const until = kit.elapsed() + (kit.window < fewMinutes ? Math.min(kit.window, glance) : kit.window);
  for (;;) {
    const seen = endpoint.caught.length;
    const found = await ask();
    if (found !== undefined || kit.elapsed() >= until) return found;
    await kit.untilCaught(endpoint, seen + 1);
  }
}

/**
 * Waits for what comes of a tracking request.
 *
 * @param webhook - is notified when the number was found
 * @param isThere - looks whether it has come
 */
export async function untilThere(kit: ServiceKit, webhook: Webhook, isThere: () => Promise<boolean>): Promise<Outcome> {
  const kind = await withinWindow(kit, webhook, async () => {
    if (await isThere()) return 'there' as const;
    if (webhook.endpoint.caught.length === 0) return undefined;
    await kit.settle();
    return (await isThere()) ? ('there' as const) : ('announced' as const);
  });
  return { kind: kind ?? 'open', notification: webhook.endpoint.caught[0] };
}

/** The id of the tracking request that an answer shows; empty where it shows none. */
export function requestId(kit: ServiceKit, call: Call): string {
  const json = kit.json(call) ?? null;
  const id = valueAt(json, `${trackingTerms(kit.terms).wrapper}${kit.terms.webhook.members.id}`);
  return typeof id === 'string' ? id : '';
}

/** The ids of the resources that a delivery brings along. */
export function includedIds(kit: ServiceKit, caught: Caught): readonly string[] {
  const included = kit.delivered(caught, 'included');
  if (!Array.isArray(included)) return [];
  const ids = included.map((resource: Json) => valueAt(resource, kit.terms.webhook.members.id));
  return ids.filter((id) => typeof id === 'string');
}

/** Whether a text stands in a value: as one of its texts, or within one. */
export function mentions(value: Json, text: string): boolean {
  if (typeof value === 'string') return text !== '' && value.includes(text);
  return typeof value === 'object' && value !== null && Object.values(value).some((each: Json) => mentions(each, text));
}

/** How many shipments and containers are listed. */
export async function counts(kit: ServiceKit): Promise<readonly number[]> {
  const all = await Promise.all((['records', 'units'] as const).map((role) => itemsOf(kit, role)));
  return all.map(({ length }) => length);
}

/** @throws Unproven where time ran out before the few minutes that the contract grants */
export function judgeOutcome(
  kit: ServiceKit,
  outcome: Outcome,
  call: Call,
  point: { requirement: RequirementId; expected: string },
) {
  if (outcome.kind === 'there') return undefined;
  if (outcome.kind === 'open' && kit.window < fewMinutes) {
    throw new Unproven(
      `nothing came of the tracking request yet; --retry-window 5m waits for the few minutes that it may take`,
    );
  }
  const notified = outcome.notification;
  const read = kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1);
  const absent =
    notified === undefined
      ? 'what is tracked was not there after five minutes'
      : 'what is tracked was not there, although the service said that the number was found';
  return finding(point.requirement, {
    expected: point.expected,
    actual: refusedList(kit, read) ?? absent,
    exchanges: [call, ...(notified === undefined ? [] : [notified]), ...read],
    absence: true,
  });
}
