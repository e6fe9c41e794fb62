import { idText } from '../../spec/delivery.ts';
import type { Json } from '../../generators/json/json.ts';
import type { Contract } from '../../spec/contract.ts';
import type { ListedNotification } from '../../suites/serviceKit.ts';
import { Caller, type Calling } from './caller.ts';
import { readList } from './lists.ts';
import { type Query, queryOf, recordMember } from '../../suites/service/listItems.ts';
import type { Listing } from '../../suites/service/listing.ts';
import { control } from '../engine/cases.ts';

type Listed = ReadonlyMap<string, ListedNotification>;

/** Looks notifications up in the service's list. All who ask at the same time share one reading. */
export class ListedNotifications {
  readonly #context: () => Calling;
  readonly #wanted = new Set<string>();
  #next: Promise<Listed> | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  /** What the list began with when it was last read from its beginning. */
  #oldest: string | undefined;
  /** The page that is read first, where the list begins with its oldest: what is looked for is new, and stands far behind. */
  #from: Query | undefined;

  constructor(context: () => Calling) {
    this.#context = context;
  }

  /** The listed form of these notifications, read after this call. @throws Unobservable */
  async lookUp(ids: readonly string[]): Promise<Listed> {
    for (const id of ids) this.#wanted.add(id);
    this.#next ??= this.#reading.catch(() => {}).then(() => this.#read());
    return this.#next;
  }

  #read(): Promise<Listed> {
    const wanted = new Set(this.#wanted);
    this.#wanted.clear();
    this.#next = undefined;
    const reading = this.#sweep(wanted);
    this.#reading = reading;
    return reading;
  }

  async #sweep(wanted: ReadonlySet<string>): Promise<Listed> {
    const found = new Map<string, ListedNotification>();
    if (this.#from !== undefined) await this.#search(wanted, found, this.#from);
    if (found.size < wanted.size) await this.#search(wanted, found);
    return found;
  }

  async #search(wanted: ReadonlySet<string>, found: Map<string, ListedNotification>, from?: Query): Promise<void> {
    const context = this.#context();
    const { contract } = context.plan;
    let looked = 0;
    let first: number | undefined;
    const enough = (items: readonly Json[]): boolean => {
      for (; looked < items.length; looked++) {
        const item = items[looked]!;
        const id = idText(recordMember(contract, item, 'id'));
        if (id === undefined || !wanted.has(id)) continue;
        found.set(id, listedForm(contract, id, item));
        first ??= looked;
      }
      return found.size === wanted.size;
    };
    const listing = await readList(context, new Caller(this.#context, control), 'notifications', { enough, from });
    const isFar = from !== undefined || this.#beginsAsBefore(listing);
    if (first === undefined) return;
    const page = pageOf(first, listing);
    const isLinked = context.learned.has('list.next') && (from !== undefined || page > 0);
    this.#from = isFar && isLinked ? queryOf(listing.pages[page]!.request.path, '') : undefined;
  }

  #beginsAsBefore({ items: [oldest = null] }: Listing): boolean {
    const before = this.#oldest;
    this.#oldest = idText(recordMember(this.#context().plan.contract, oldest, 'id'));
    return before !== undefined && before === this.#oldest;
  }
}

/** On which page of a list an item stands, from 0. */
function pageOf(place: number, { sizes }: Listing): number {
  let items = 0;
  const page = sizes.findIndex((size) => (items += size) > place);
  return Math.max(0, page);
}

function listedForm(contract: Contract, id: string, item: Json): ListedNotification {
  return {
    id,
    event: recordMember(contract, item, 'event'),
    status: recordMember(contract, item, 'status'),
    createdAt: recordMember(contract, item, 'createdAt'),
    resource: item,
  };
}
