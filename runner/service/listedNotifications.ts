import { idText } from '../../spec/delivery.ts';
import type { Json } from '../../generators/json/json.ts';
import type { Contract } from '../../spec/contract.ts';
import type { ListedNotification } from '../../suites/serviceKit.ts';
import { Caller, type Calling } from './caller.ts';
import { readList } from './lists.ts';
import { recordMember } from '../../suites/service/notificationRecord.ts';
import { control } from '../engine/owner.ts';

type Listed = ReadonlyMap<string, ListedNotification>;

/** Looks notifications up in the service's list. All who ask at the same time share one reading. */
export class ListedNotifications {
  readonly #context: () => Calling;
  readonly #wanted = new Set<string>();
  #next: Promise<Listed> | undefined;
  #reading: Promise<unknown> = Promise.resolve();

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
    const context = this.#context();
    const { contract } = context.plan;
    const caller = new Caller(this.#context, control);
    const found = new Map<string, ListedNotification>();
    let looked = 0;
    const enough = (items: readonly Json[]): boolean => {
      for (; looked < items.length; looked++) {
        const item = items[looked]!;
        const id = idText(recordMember(contract, item, 'id'));
        if (id !== undefined && wanted.has(id)) found.set(id, listedForm(contract, id, item));
      }
      return found.size === wanted.size;
    };
    await readList(context, caller, 'notifications', { enough });
    return found;
  }
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
