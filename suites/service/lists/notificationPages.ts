import { idText } from '../../../spec/delivery.ts';
import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { valuesAt } from '../../../generators/schema/schemaReference.ts';
import { serviceCheck, Unproven, type ServiceFinding, unlessUnobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import type { Listing } from '../listing.ts';
import { finding } from '../../finding.ts';
import { notRead } from '../creation.ts';
import { itemsPointer, recordMember } from '../listItems.ts';
import { pairs } from '../../items.ts';
import { statusTerms } from '../../../spec/serviceTerms.ts';

/** Section 4.3: each notification is reached by paging, and none twice. */
export const everyPage = serviceCheck<{ webhooks: number; size: number }>({
  id: 'service/lists/notification-pages',
  title: 'lists every notification with its delivery status, and none twice, page after page',
  requirements: ['LST-2'],
  about: ['operation:notifications', 'id'],
  needs: ['event'],
  schedule: { kind: 'alone' },
  // Side by side, one case would list what another brings about.
  weight: 0.01,
  cases: () => [fc.record({ webhooks: fc.integer({ min: 2, max: 12 }), size: fc.integer({ min: 2, max: 5 }) })],
  run: async (kit, { webhooks, size }) => {
    const made = await kit.registerMany(webhooks, () => ({}));
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const notified = await Promise.all(made.map((webhook) => kit.arrival(webhook, triggered)));
    const fresh = notified.flatMap((each) => each ?? []);
    // The first ones of the run stand at the other end of the list.
    const own = [...new Set([...fresh, ...kit.monitored()].map(({ id }) => id))].filter((id) => id !== '');
    if (fresh.every(({ id }) => id === ''))
      throw new Unproven('no notification came whose id could be looked for in the list');
    // A list of thousands may have hundreds of pages: it is read again only where something is wrong with it.
    const one = await kit.list('notifications');
    if (!one.complete && !repeats(kit, one)) throw notRead(kit, 'notifications', one);
    const all = distinctPages(kit, one);
    const found = judge(all, own, one.pages);
    if (found === undefined && !one.complete) throw notRead(kit, 'notifications', one);
    if (found === undefined) return expectStatuses(kit, one) ?? expectOtherSizes(kit, { own, size, all });
    await expectQuiet(kit, all, (ids) => judge(ids, own, one.pages));
    return found;
  },
  hint:
    'Order a list by something unique (the time and then the id), so that notifications of the same moment do not change ' +
    'places between two pages. Where a page has a largest size, compute its offset and the number of pages from the size that it has, and ' +
    'not from the one that was asked for. Leave rows out in the query: a page that is thinned out after it was read is short, and looks ' +
    'like the last one.',
});

/**
 * Where a list has no order that holds, each reading shows others: then something is wrong with as many again.
 *
 * @param judgeAgain - what is wrong with these ids
 * @throws Unproven where other notifications are listed than before: then places may have changed between two pages
 */
async function expectQuiet(
  kit: ServiceKit,
  before: readonly string[],
  judgeAgain: (ids: readonly string[]) => ServiceFinding | undefined,
): Promise<void> {
  // A list may be behind.
  await kit.settle();
  const again = await kit.list('notifications');
  if (!again.complete && !repeats(kit, again)) throw notRead(kit, 'notifications', again);
  const after = distinctPages(kit, again);
  if (isQuiet(before, after) || (before.length === after.length && judgeAgain(after))) return;
  throw new Unproven('notifications came while they were listed');
}

/** Whether its links led back to what had been read before, for so long that they were followed no further. */
function repeats(kit: ServiceKit, { items, sizes, cutAfter }: Listing): boolean {
  const ids = items.map((item) => idOf(kit, item));
  const last = sizes.at(-1) ?? 0;
  const before = new Set(ids.slice(0, ids.length - last));
  return cutAfter === undefined && last > 0 && sizes.length > 1 && ids.slice(-last).every((id) => before.has(id));
}

/** The ids page after page. A page that was there before says that the service has no pages. */
function distinctPages(kit: ServiceKit, { items, sizes }: Listing): readonly string[] {
  const ids = items.map((item) => idOf(kit, item));
  const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
  const pages = pairs(sizes, starts).map(([size, start]) => ids.slice(start, start + size));
  // The first of those that say the same stays where it is.
  return [...new Map(pages.map((page) => [JSON.stringify(page), page])).values()].flat();
}

/** Each is listed with one of the delivery statuses of the contract. */
function expectStatuses(kit: ServiceKit, { items, pages }: Listing): ServiceFinding | undefined {
  const statuses = statusesOf(kit);
  const wrong = items.find((item) => !statuses.includes(recordMember(kit.contract, item, 'status') as Json));
  if (wrong === undefined) return undefined;
  const id = idOf(kit, wrong);
  const status = JSON.stringify(recordMember(kit.contract, wrong, 'status')) ?? 'none';
  return finding('LST-2', {
    expected: `a delivery status: ${JSON.stringify(statuses)}`,
    actual: `${id} is listed with ${status}`,
    exchanges: pages.filter((page) => shows(page, id)).slice(0, 1),
    hint:
      'Write one of the statuses of the contract wherever a notification is shown. The states of your own queue (one that ' +
      'waits for a retry, one that is under way) are all the first of these.',
  });
}

/** Pages that a list is read in, about. */
const mostPages = 25;

/**
 * With small pages, where the service has such: by their numbers, and by the links that lead from one to the next. Then with
 * larger ones than it may make.
 */
async function expectOtherSizes(
  kit: ServiceKit,
  {
    own,
    size: least,
    all,
  }: { readonly own: readonly string[]; readonly size: number; readonly all: readonly string[] },
): Promise<ServiceFinding | undefined> {
  const total = new Set(all).size;
  const size = Math.max(least, Math.ceil(total / mostPages));
  const small = await smallPages(kit, size, all.length);
  const [page] = small?.pages ?? [];
  const made = (page && itemsOf(kit, page)?.length) || size;
  const linked = await linkedPages(kit, leavingOne(total, made));
  const single = total > mostPages ? undefined : await linkedPages(kit, 1);
  const walks = [small, linked, single, await largePages(kit)].filter((walk) => walk !== undefined);
  const wanted = [...new Set([...own, ...all])];
  const wrong = walks.map(({ ids, pages }) => judge(ids, wanted, pages)).find((each) => each !== undefined);
  const found = wrong ?? (await unlinkedPage(kit, walks, all));
  if (found !== undefined) await expectQuiet(kit, all, () => undefined);
  return found;
}

/**
 * A size that makes three pages or more, with one item on the last: code that is off by one leaves that out. Where there is
 * none near the size of the pages that the service makes, that size.
 */
function leavingOne(total: number, made: number): number {
  const sizes = Array.from({ length: Math.ceil(made / 2) }, (_, less) => made - less);
  return sizes.find((size) => total > 2 * size && total % size === 1) ?? made;
}

interface Walk {
  readonly ids: readonly string[];
  readonly pages: readonly Call[];
}

/**
 * @param total - how many notifications there are
 * @returns nothing where the service makes larger pages than these, or its pages have no numbers
 */
async function smallPages(kit: ServiceKit, size: number, total: number): Promise<Walk | undefined> {
  if (kit.terms.list?.cursor !== undefined) return undefined;
  const [pageName = '', sizeName = ''] = kit.assumption('list.paging').split(',');
  const first = Number(kit.assumption('list.firstPage'));
  const pages: Call[] = [];
  const ids: string[] = [];
  let before = '';
  let most = 1;
  while (pages.length < most) {
    const query = { [pageName]: String(first + pages.length), [sizeName]: String(size) };
    const call = await kit.call('notifications', { query });
    const items = itemsOf(kit, call);
    // Refused, larger than asked for, or the first page again: these are not the service's parameters.
    if (items === undefined || items.length > size) return undefined;
    const page = items.map((item) => idOf(kit, item));
    const isSame = items.length > 0 && JSON.stringify(page) === before;
    if (isSame && pages.length === 1) return undefined;
    // Beyond the end some services show nothing, and some their last page once more.
    if (items.length === 0 || isSame) break;
    // A service may have a largest page of its own, smaller than what is asked for.
    if (pages.length === 0) most = Math.ceil(total / items.length) + 2;
    before = JSON.stringify(page);
    pages.push(call);
    ids.push(...page);
  }
  return { ids, pages };
}

/** @returns nothing where small pages have no links to the next, or their links could not be followed to the end */
async function linkedPages(kit: ServiceKit, size: number): Promise<Walk | undefined> {
  const [, sizeName = ''] = kit.assumption('list.paging').split(',');
  const first = await kit.call('notifications', { query: { [sizeName]: String(size) } });
  const items = itemsOf(kit, first);
  if (items === undefined || items.length > size || !hasLink(kit, first)) return undefined;
  const listing = await kit.list('notifications', String(size));
  return listing.complete || repeats(kit, listing) ? walked(kit, listing) : undefined;
}

/**
 * The smallest pages have a link to the next where larger ones have: the first, and the last but one, from which code that
 * is off by one leads no further.
 *
 * @param all - the ids of all notifications, in the order of the list
 */
async function unlinkedPage(
  kit: ServiceKit,
  walks: readonly Walk[],
  all: readonly string[],
): Promise<ServiceFinding | undefined> {
  const linked = walks.flatMap(({ pages }) => pages).find((page) => hasLink(kit, page));
  if (linked === undefined || all.length < 2) return undefined;
  const [pageName = '', sizeName = ''] = kit.assumption('list.paging').split(',');
  const number = Number(kit.assumption('list.firstPage')) + all.length - 2;
  const numbered = kit.terms.list?.cursor === undefined && all.length > 2;
  for (const query of [{}, ...(numbered ? [{ [pageName]: String(number) }] : [])]) {
    const page = await kit.call('notifications', { query: { [sizeName]: '1', ...query } });
    const [item, ...others] = itemsOf(kit, page) ?? [];
    const isFirst = !(pageName in query);
    const isRight = isFirst || (item !== undefined && idOf(kit, item) === all.at(-2));
    if (item === undefined || others.length > 0 || !isRight) return undefined;
    if (hasLink(kit, page)) continue;
    const which = isFirst ? 'a page' : 'the last but one of the pages';
    return finding('LST-2', {
      expected: `${which} of one notification, of ${all.length}, has a link to the next, as a larger page has`,
      actual: 'it has none',
      exchanges: [linked, page],
    });
  }
  return undefined;
}

function walked(kit: ServiceKit, listing: Listing): Walk {
  return { ids: distinctPages(kit, listing), pages: listing.pages };
}

/** More than services let a page hold: most then make the largest that they have, and the next one goes on from there. */
const large = '1000';

/** @returns nothing where so large a page cannot be read, or the list could not be read to its end */
async function largePages(kit: ServiceKit): Promise<Walk | undefined> {
  const listing = await kit.list('notifications', large).catch(unlessUnobservable);
  return listing?.complete === true ? walked(kit, listing) : undefined;
}

function hasLink(kit: ServiceKit, call: Call): boolean {
  const link = valueAt(kit.json(call) ?? null, kit.assumption('list.next'));
  return link !== undefined && link !== null && link !== '';
}

function itemsOf(kit: ServiceKit, call: Call): readonly Json[] | undefined {
  const json = kit.succeeded(call) ? kit.json(call) : undefined;
  const pointer = json === undefined ? undefined : itemsPointer(json, kit.assumption('list.items'));
  return json === undefined || pointer === undefined ? undefined : (valueAt(json, pointer) as readonly Json[]);
}

function judge(ids: readonly string[], own: readonly string[], pages: readonly Call[]): ServiceFinding | undefined {
  const twice = ids.find((id, index) => id !== '' && ids.indexOf(id) < index);
  const missing = own.find((id) => !ids.includes(id));
  const exchanges = pages.filter((page) => shows(page, twice ?? missing ?? ''));
  const shown = exchanges.length > 0 ? exchanges.slice(0, 3) : pages.slice(0, 2);
  if (twice !== undefined) {
    const actual = `${twice} is listed twice`;
    return finding('LST-2', { expected: 'each notification once', actual, exchanges: shown });
  }
  if (missing === undefined) return undefined;
  const actual =
    pages.length === 1 ? `${missing} is not on the only page` : `${missing} is on none of ${pages.length} pages`;
  return finding('LST-2', {
    expected: 'each notification on one of the pages',
    actual,
    exchanges: shown,
    absence: true,
  });
}

function shows({ answer }: Call, text: string): boolean {
  return answer.kind === 'answered' && answer.body.includes(text);
}

function isQuiet(before: readonly string[], after: readonly string[]): boolean {
  return new Set(before).size === new Set(after).size && after.every((id) => before.includes(id));
}

/** Empty: it has no id. */
function idOf({ contract }: ServiceKit, item: Json): string {
  return idText(recordMember(contract, item, 'id')) ?? '';
}

/** The values that the schema of deliveries allows for the status, else those that the contract names. */
function statusesOf({ contract, terms }: ServiceKit): readonly Json[] {
  const [event] = contract.events;
  const { status } = contract.delivery.members;
  return (status === undefined ? undefined : valuesAt(event.schema, status)) ?? Object.values(statusTerms(terms));
}
