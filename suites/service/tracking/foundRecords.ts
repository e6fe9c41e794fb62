import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { includedIds, itemsOf } from './trackingRun.ts';

const lists = ['listShipments', 'listContainers'] as const;

/** Section 3.3: once it is said that the number was found, its records are there. */
export const atOnce = serviceCheck<(typeof lists)[number]>({
  id: 'service/tracking/found-means-records',
  title: 'lists the records of a number before it says that the number was found',
  requirements: ['TRQ-6'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  // Beside others the list would be read too late to tell.
  weight: 0.01,
  cases: () => lists.map((operationId) => fc.constant(operationId)),
  run: async (kit, operationId) => {
    const { found } = kit.terms.tracking;
    const webhook = await kit.register({ events: [found] });
    const before = await idsOf(kit, operationId);
    const triggered = await kit.trigger(found);
    if (triggered.by === 'emit')
      throw new Unobservable('the event was not caused by a tracking request: give --trackable');
    const first = await kit.arrival(webhook, triggered);
    if (first === undefined) throw new Unproven('the news that the number was found did not come');
    const now = await idsOf(kit, operationId);
    const read = kit.exchanges.slice(-1);
    const spoken = includedIds(kit, first.attempts[0]!);
    const isThere = spoken.some((id) => now.has(id));
    // What is new there may be another number's, unless the news does not say what it is about.
    if (isThere || (spoken.length === 0 && now.size > before.size)) return undefined;
    await kit.settle();
    const later = [...(await idsOf(kit, operationId))].filter((id) => !now.has(id));
    return judge(kit, first.attempts[0]!, { now, later, read });
  },
  hint: 'Commit the shipment and its containers first, and raise the event after that (or in the same transaction).',
});

interface Read {
  readonly now: ReadonlySet<unknown>;
  /** What was listed only later. */
  readonly later: readonly unknown[];
  readonly read: ServiceFinding['exchanges'];
}

/** What comes later counts if the delivery spoke of it: other numbers may have been found in the meantime. */
function judge(kit: ServiceKit, notified: Caught, { now, later, read }: Read): ServiceFinding | undefined {
  const included = includedIds(kit, notified);
  const late = later.filter((id) => included.includes(String(id)));
  const expected = 'the records are listed when the news arrives that the number was found';
  const exchanges = [notified, ...read];
  if (late.length > 0) {
    const actual = `${late.length} of them came into the list only after the news`;
    return broken('TRQ-6', { expected, actual, exchanges });
  }
  if (now.size > 0) return undefined;
  const actual = later.length > 0 ? 'the list was empty then, and is not any more' : 'the list is empty';
  return broken('TRQ-6', { expected, actual, exchanges, absence: later.length === 0 });
}

async function idsOf(kit: ServiceKit, operationId: string): Promise<ReadonlySet<unknown>> {
  const items = await itemsOf(kit, operationId);
  return new Set(items.map((item: Json) => valueAt(item, kit.terms.webhook.members.id) ?? JSON.stringify(item)));
}
