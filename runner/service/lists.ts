import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import { itemsPointer, linkedQuery, nextLink, type Query } from '../../suites/service/listItems.ts';
import type { Call } from '../../suites/exchange.ts';
import type { Listing } from '../../suites/service/listing.ts';
import type { Caller } from './caller.ts';
import { judgedJson, isSuccess } from './answers.ts';
import { type RunState, assumed } from './runState.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import { sizeText } from '../../spec/units.ts';
import { offers } from '../../spec/serviceTerms.ts';
import type { OperationChoice } from '../../spec/contract.ts';
import { parentOf } from '../../spec/pointer.ts';

/** How many times as many bytes as one answer the pages of a list may have together. */
const pagesTogether = 4;
/** Sizes that pages usually have. A list of such a size that does not turn the page may be cut off there. */
const usualSizes: readonly number[] = [10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 500, 1000];
/** Pages in a row that show nothing new, and after which links are not followed any further. */
const mostStale = 3;

/** How often a list is read anew because a link of it was refused. */
const mostBroken = 3;

/** How a list is read. */
interface Manner {
  /** Ends the reading early. */
  readonly enough?: (items: readonly Json[]) => boolean;
  /** The items of a page that are asked for. Default: `list.pageSize`. */
  readonly pageSize?: string | undefined;
  /** The page, of those that links lead to, that is read first. Default: the first of the list. */
  readonly from?: Query | undefined;
}

/**
 * Reads a list page after page: as its links say, else by the page's number, until a page shows nothing new. Once a page
 * had a link to the next, a page without one is the last.
 *
 * @throws Unobservable where an answer is no list that can be read, or no success
 */
export async function readList(
  context: RunState,
  caller: Caller,
  operation: OperationChoice,
  { enough = () => false, pageSize = assumed(context, 'list.pageSize'), from }: Manner = {},
): Promise<Listing> {
  const { contract } = context.plan;
  if (typeof operation === 'string' && !offers(contract, operation))
    throw new Unobservable(`the contract names no operation with the role ${operation}`);
  const { operationId } = contract.operation(operation);
  let reading = new Reading(context, operationId, pageSize, from !== undefined);
  let query: Query | undefined = from ?? reading.firstQuery;
  let broken = 0;
  while (query !== undefined) {
    const call = await caller.call({ operationId }, { query });
    // A size that the service does not take is left to the service.
    if (reading.pages.length === 0 && refusedQuery(call, query)) {
      query = {};
      continue;
    }
    // A link may name an item that was deleted since: then the list is another, which is read from its beginning.
    if (reading.isByLink && refusedQuery(call, query) && broken < mostBroken) {
      broken += 1;
      reading = new Reading(context, operationId, pageSize);
      query = reading.firstQuery;
      continue;
    }
    query = reading.take(call, query);
    if (enough(reading.items)) return { ...reading.listing, complete: false };
  }
  return reading.listing;
}

class Reading {
  readonly #context: RunState;
  readonly #operationId: string;
  readonly #seen = new Set<string>();
  readonly items: Json[] = [];
  readonly pages: Call[] = [];
  readonly #sizes: number[] = [];
  #complete = false;
  #cutAfter: string | undefined;
  #page: number;
  readonly #pageSize: string;
  /** The number of the last page, where it was asked for without a link to it. */
  #guessed: string | undefined;
  /** Whether a link led to a page. */
  #hasLinks: boolean;
  #bytes = 0;
  /** Pages in a row that showed nothing new. */
  #stale = 0;

  constructor(context: RunState, operationId: string, pageSize: string, isLinked = false) {
    this.#context = context;
    this.#operationId = operationId;
    this.#pageSize = pageSize;
    this.#hasLinks = isLinked;
    this.#page = Number(assumed(context, 'list.firstPage'));
  }

  get firstQuery(): Query {
    return { [this.#parameters[1]]: this.#pageSize };
  }

  get listing(): Listing {
    const { items, pages } = this;
    return { items, pages, sizes: this.#sizes, complete: this.#complete, cutAfter: this.#cutAfter };
  }

  /** Whether the last page that was asked for is one that a link leads to. */
  get isByLink(): boolean {
    return this.#hasLinks && this.#guessed === undefined;
  }

  get #parameters(): readonly [page: string, size: string] {
    const [page = '', size = ''] = assumed(this.#context, 'list.paging').split(',');
    return [page, size];
  }

  /** @returns the query of the next page; nothing where this was the last one */
  take(call: Call, query: Query): Query | undefined {
    const isGuess = this.#guessed !== undefined && query[this.#parameters[0]] === this.#guessed;
    // A page that nobody spoke of may be refused: then there is none.
    if (isGuess && refusedQuery(call, query)) return this.#end();
    const value = judgedJson(call);
    const items = itemsOf(this.#context, call, this.#operationId, value);
    const inBody = value === undefined ? undefined : valueAt(value, assumed(this.#context, 'list.next'));
    const link = inBody ?? nextLink(call) ?? inBody;
    const isLinked = link !== undefined && link !== null && link !== '';
    if (isLinked && link === inBody)
      this.#context.learn('list.next', assumed(this.#context, 'list.next'), `in ${this.#operationId}`);
    const isNews = this.#isNews(items);
    // A service without pages answers with the same again, though some of it may have changed meanwhile.
    if (isGuess && items.length > 0 && this.#isFirstAgain(items)) return this.#endOfOnly(value);
    if (isGuess && !isNews) return this.#end();
    this.#keep(call, items);
    this.#stale = isNews ? 0 : this.#stale + 1;
    if (this.#stale >= mostStale || this.#isCut()) return undefined;
    if (isLinked) return this.#isCursor(link, call) ? this.#byCursor(link, query) : this.#byLink(link, call);
    const isLast =
      this.#hasLinks ||
      items.length === 0 ||
      link === null ||
      this.#cursor !== undefined ||
      saysLast(value, this.#context);
    return isLast ? this.#end() : this.#byNumber(query);
  }

  #isNews(items: readonly Json[]): boolean {
    return items.some((item) => !this.#seen.has(this.#nameOf(item)));
  }

  #isFirstAgain(items: readonly Json[]): boolean {
    const names = new Set(items.map((item) => this.#nameOf(item)));
    return this.items.slice(0, this.#sizes[0]).every((item) => names.has(this.#nameOf(item)));
  }

  /** The id of a resource, or of a document that wraps one; the whole of what has none. */
  #nameOf(item: Json): string {
    const { terms } = this.#context.plan;
    const { members, answer } = terms.webhook;
    const isRecord = this.#operationId === terms.operations.notifications;
    const own = isRecord ? terms.notification?.members?.id : undefined;
    const id = valueAt(item, own ?? members.id) ?? valueAt(item, `${answer}${members.id}`);
    return JSON.stringify(id ?? item);
  }

  #keep(call: Call, items: readonly Json[]): void {
    const kept = items.slice(0, this.#bounds.entries - this.items.length);
    this.pages.push(call);
    this.#sizes.push(items.length);
    for (const item of kept) {
      this.items.push(item);
      this.#seen.add(this.#nameOf(item));
    }
    this.#bytes += call.answer.kind === 'answered' ? call.answer.body.length : 0;
  }

  get #bounds() {
    return this.#context.plan.bounds;
  }

  /** Whether so much was read of the list that nothing more is. */
  #isCut(): boolean {
    const { pages, entries, bytes } = this.#bounds;
    const most = [
      ...(this.pages.length >= pages ? [`${pages} pages (--max-pages)`] : []),
      ...(this.items.length >= entries ? [`${entries} entries (--max-entries)`] : []),
      ...(this.#bytes >= pagesTogether * bytes ? [`${sizeText(pagesTogether * bytes)} (--max-answer)`] : []),
    ];
    if (most.length === 0) return false;
    this.#cutAfter = most.join(' and ');
    tellCut(this.#context, this.#operationId, this.#cutAfter);
    return true;
  }

  get #cursor(): string | undefined {
    return this.#context.plan.terms.list?.cursor;
  }

  /** An address may hold the cursor itself. */
  #isCursor(link: Json, call: Call): boolean {
    return this.#cursor !== undefined && linkedQuery(link, call)?.[this.#cursor] === undefined;
  }

  #byCursor(cursor: Json, query: Query): Query | undefined {
    this.#hasLinks = true;
    if (this.#cursor === undefined || typeof cursor === 'object') return undefined;
    return { ...query, [this.#cursor]: String(cursor) };
  }

  #byLink(link: Json, call: Call): Query | undefined {
    this.#hasLinks = true;
    this.#guessed = undefined;
    return linkedQuery(link, call);
  }

  #byNumber(query: Query): Query {
    const [name] = this.#parameters;
    this.#page += 1;
    const before = this.#sizes.reduce((sum, size) => sum + size, 0);
    this.#guessed = String(/^(offset|skip)$/i.test(name) ? before : this.#page);
    return { ...query, [name]: this.#guessed };
  }

  /** A service without pages, or one whose pages are asked for by another parameter (GAP-8): one that has links has no other. */
  #endOfOnly(value: Json | undefined): undefined {
    const [only = 0, ...others] = this.#sizes;
    const isLinking = this.#context.learned.has('list.next') || linksOf(value, this.#context) !== undefined;
    this.#complete = others.length > 0 || isLinking || !usualSizes.includes(only);
  }

  #end(): undefined {
    this.#complete = true;
    return undefined;
  }
}

/** Says it once of each list. */
function tellCut(context: RunState, operationId: string, after: string): void {
  if (context.cutLists.has(operationId)) return;
  context.cutLists.add(operationId);
  const gap = context.plan.contract.assumptions.find(({ key }) => key === 'list.next')?.gap ?? 'list.next';
  const value = `the list of ${operationId} goes on after ${after}: what follows was not read`;
  context.emit({ type: 'observed', gap, value, evidence: 'lists are read up to these bounds' });
}

/** An answer that speaks of pages, but of no next one, is the last. */
function saysLast(value: Json | undefined, context: RunState): boolean {
  return value === undefined || Object.keys(linksOf(value, context) ?? {}).length > 0;
}

/** What the link to the next page would stand in; nothing where there is no such object. */
function linksOf(value: Json | undefined, context: RunState): object | undefined {
  const pointer = assumed(context, 'list.next');
  const parent = valueAt(value ?? null, parentOf(pointer));
  return isJsonObject(parent ?? null) && pointer.lastIndexOf('/') > 0 ? (parent as object) : undefined;
}

function refusedQuery({ answer }: Call, query: Query): boolean {
  return Object.keys(query).length > 0 && answer.kind === 'answered' && [400, 404, 410, 422].includes(answer.status);
}

/**
 * The items of one page of a list. Where they stand in it is learned.
 *
 * @throws Unobservable where the answer is no list that can be read, or no success; Unproven where there is none
 */
function itemsOf(context: RunState, call: Call, operationId: string, value: Json | undefined): readonly Json[] {
  const { answer, request } = call;
  if (!isSuccess(call)) {
    const to = `to ${operationId} (${request.method} ${request.path})`;
    if (answer.kind !== 'answered') throw new Unproven(`the service gave no answer ${to}`);
    throw new Unobservable(`the service answered ${answer.status} ${to}`);
  }
  const usual = assumed(context, 'list.items');
  const pointer = value === undefined ? undefined : itemsPointer(value, usual);
  if (value === undefined || pointer === undefined) {
    throw new Unobservable(
      `the answer to ${operationId} holds no list at ${usual}; --assume list.items=<pointer> says where it is`,
    );
  }
  context.learn('list.items', pointer, `in ${operationId}`);
  return valueAt(value, pointer) as readonly Json[];
}
