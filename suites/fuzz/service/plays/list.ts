import { idText } from '../../../../spec/delivery.ts';
import { unlessUnobservable } from '../../../check.ts';
import type { ListStep, PageStep } from '../steps.ts';
import { isSwitchedOff, type Play, type ServiceModelState } from '../serviceModelState.ts';
import type { Json } from '../../../../generators/json/json.ts';
import { itemsPointer, recordMember, linkedQuery } from '../../../service/listItems.ts';
import { sameUrl } from '../../../service/creation.ts';
import { type Found, wrong } from '../found.ts';
import { showsOtherEvents } from './webhook.ts';
import type { Registered } from '../registered.ts';
import { valueAt } from '../../../../generators/json/jsonPointer.ts';
import type { Call } from '../../../exchange.ts';
import type { ServiceKit } from '../../../serviceKit.ts';

/** How often the list is read before something counts as missing there: others come and go while it is read. */
const readings = 4;

/** Tests the list of webhooks against what they were set to. @throws Unobservable where it cannot be read */
async function judgeListedWebhooks(modelState: ServiceModelState): Promise<void> {
  const owners = modelState.registered.filter(({ now, states }) => !now.gone && !states.some(({ unclear }) => unclear));
  let items: readonly Json[] = [];
  for (let reading = 0; reading < readings; reading += 1) {
    items = (await modelState.kit.list('list')).items;
    if (owners.every((owner) => listedAs(modelState, owner, items))) break;
  }
  if (owners.length > 0) modelState.judge('LST-1');
  for (const owner of owners) modelState.accuse(judged(modelState, owner, listedAs(modelState, owner, items)));
}

function listedAs({ kit }: ServiceModelState, { webhook }: Registered, items: readonly Json[]): Json | undefined {
  return items.find((item) => idText(kit.member(item, 'id')) === webhook.id);
}

function judged(modelState: ServiceModelState, owner: Registered, item: Json | undefined): Found | undefined {
  const { kit } = modelState;
  const exchanges = [owner.webhook.creation, ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1)];
  if (item === undefined) {
    return wrong('not-listed', 'LST-1', {
      expected: `webhook ${owner.slot} is listed`,
      actual: 'no page of the list holds its id',
      exchanges,
      absence: true,
    });
  }
  const { now, states } = owner;
  const difference = differing(modelState, owner, item);
  if (difference === undefined) return undefined;
  const [name, requirement] = difference;
  modelState.judge('ACT-3');
  return wrong('wrong-resource', states.length > 1 ? 'ACT-3' : requirement, {
    expected: `${name} is listed as it was set last: ${JSON.stringify(name === 'url' ? 'the url of its endpoint' : now[name])}`,
    actual: `it is ${JSON.stringify(kit.member(item, name)) ?? 'missing'}`,
    exchanges,
  });
}

function differing(modelState: ServiceModelState, { now }: Registered, item: Json) {
  const { kit } = modelState;
  const shown = (name: 'url' | 'active' | 'events') => kit.member(item, name);
  if (!sameUrl(shown('url'), now.place.url)) return ['url', 'WHK-4'] as const;
  if (showsOtherEvents(kit, shown('events'), now.events)) return ['events', 'WHK-7'] as const;
  if (kit.terms.webhook.members.active === undefined) return undefined;
  return shown('active') === now.active || isSwitchedOff(modelState, item) ? undefined : (['active', 'WHK-5'] as const);
}

/** Reads a list: how the webhooks of the sequence are listed is judged at once, how its notifications are, at the end. */
export const list: Play<ListStep> = {
  can: ({ taken }, { what }) => what === 'notifications' || taken.size > 0,
  async play(modelState, { what }) {
    await (what === 'webhooks' ? judgeListedWebhooks : look)(modelState).catch(unlessUnobservable);
  },
};

async function look(modelState: ServiceModelState): Promise<void> {
  const { kit } = modelState;
  const at = kit.elapsed();
  const ids = [...new Set(modelState.deliveries.map(({ id }) => id))].filter((id) => id !== '');
  const listed = ids.length === 0 ? new Map<string, never>() : await kit.listed(ids);
  const statuses = new Map([...listed].map(([id, { status }]) => [id, status]));
  modelState.readings.push({ at, until: kit.elapsed(), statuses });
}

/** Pages that are read at most: the newest notifications are enough. */
const most = 4;

/** How often they are read before it is given up: others may make something happen while they are read. */
const pageReadings = 4;

const operation = 'notifications';

type Query = Readonly<Record<string, string>>;

interface Page {
  readonly call: Call;
  readonly ids: readonly string[];
  /** What asks for the next one; nothing where the page has no cursor, and so is the last. */
  readonly next: Query | undefined;
}

/**
 * Reads the list of notifications in small pages. What two pages hold counts where the first page is the same before
 * and after: nothing happened meanwhile that would have moved the rest.
 */
export const page: Play<PageStep> = {
  can: () => true,
  async play(modelState, { size }) {
    for (let reading = 0; reading < pageReadings; reading += 1) {
      const pages = await read(modelState.kit, size);
      const again = pages.at(-1);
      if (pages.length < 3 || again?.ids.join() !== pages[0]?.ids.join()) continue;
      return judge(modelState, pages.slice(0, -1));
    }
    return undefined;
  },
};

/** The pages, and the first one once more. */
async function read(kit: ServiceKit, size: number): Promise<readonly Page[]> {
  const first = firstQuery(kit, size);
  const pages: Page[] = [];
  for (let query: Query | undefined = first; query !== undefined && pages.length < most;) {
    const page: Page = await pageOf(kit, query);
    if (page.ids.length !== size) break;
    pages.push(page);
    query = page.next;
  }
  return pages.length < 2 ? [] : [...pages, await pageOf(kit, first)];
}

/** The first page has a number, or no cursor yet. */
function firstQuery(kit: ServiceKit, size: number): Query {
  const [numberName = '', sizeName = ''] = kit.assumption('list.paging').split(',');
  const sized = { [sizeName]: String(size) };
  return kit.terms.list?.cursor === undefined ? { [numberName]: kit.assumption('list.firstPage'), ...sized } : sized;
}

async function pageOf(kit: ServiceKit, query: Query): Promise<Page> {
  const call = await kit.call(operation, { query });
  const value = kit.succeeded(call) ? kit.json(call) : undefined;
  const pointer = value === undefined ? undefined : itemsPointer(value, kit.assumption('list.items'));
  const items = value === undefined || pointer === undefined ? [] : (valueAt(value, pointer) as readonly Json[]);
  const ids = items.flatMap((item) => idOf(kit, item));
  return { call, ids, next: nextQuery(kit, query, call) };
}

function nextQuery(kit: ServiceKit, query: Query, call: Call): Query | undefined {
  const { cursor } = kit.terms.list ?? {};
  if (cursor === undefined) {
    const [numberName = ''] = kit.assumption('list.paging').split(',');
    return { ...query, [numberName]: String(Number(query[numberName]) + 1) };
  }
  const value = kit.succeeded(call) ? kit.json(call) : undefined;
  const next = value === undefined ? undefined : valueAt(value, kit.assumption('list.next'));
  const isCursor = (typeof next === 'string' && next !== '') || typeof next === 'number';
  if (!isCursor) return undefined;
  // An address may hold the cursor.
  return { ...query, [cursor]: linkedQuery(next, call)?.[cursor] ?? String(next) };
}

function idOf({ contract }: ServiceKit, item: Json): readonly string[] {
  const id = idText(recordMember(contract, item, 'id'));
  return id === undefined ? [] : [id];
}

/** A service without pages shows the same again: that is its right (GAP-8). */
function judge(modelState: ServiceModelState, pages: readonly Page[]): void {
  const [first, second] = pages;
  if (first?.ids.join() === second?.ids.join()) return;
  modelState.judge('LST-2');
  const all = pages.flatMap(({ ids }) => ids);
  const twice = all.find((id, index) => all.indexOf(id) !== index);
  if (twice === undefined) return;
  modelState.accuse(
    wrong('listed-twice', 'LST-2', {
      expected: 'while nothing happens, no notification is on two pages of the list',
      actual: 'one is listed twice',
      exchanges: pages.filter(({ ids }) => ids.includes(twice)).map(({ call }) => call),
    }),
  );
}
