import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { idText } from '../../../spec/delivery.ts';
import type { OperationRole, RequirementId } from '../../../spec/names.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding, unlessUnobservable } from '../../check.ts';
import { finding } from '../../finding.ts';
import { counted, itemOf } from '../../items.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import type { Listing } from '../listing.ts';
import { untilThere } from '../lists/allListed.ts';
import { differenceOf, lists } from '../lists/checks.ts';
import { recordMember } from '../listItems.ts';
import { trackingBody } from '../trackingBody.ts';
import { acceptedBy, notificationAt } from './playedCrashes.ts';

/** Items of a list that are looked for again. */
const most = 100;

/** Section 4.3 across a restart: what the account has is stored. */
export const listedAfterwards = serviceCheck<'kill' | 'stop'>({
  id: 'service/crashes/listed',
  title: 'lists after a restart what it listed before',
  requirements: ['LST-1', 'DLV-7', ...lists.slice(1).map(([, requirement]) => requirement)],
  about: ['operation:list'],
  needs: ['process-control', 'event'],
  schedule: { kind: 'interrupting' },
  fatal: 'DLV-7',
  weight: 0.02,
  cases: () => [fc.constant('kill'), fc.constant('stop')],
  run: async (kit, how) => {
    const webhooks = await kit.registerMany(2, (place) => ({ active: place === 0, events: [kit.scenarioEvents[0]] }));
    await somethingHappened(kit, itemOf(webhooks, 0));
    const before = await readAll(kit, webhooks);
    if (before.length === 0) throw new Unobservable('no list of the service can be read to its end');
    await kit.processControl[how]();
    await kit.processControl.start();
    const found = await firstGone(kit, before);
    return found ?? (await changed(kit, webhooks));
  },
  hint: 'Read every list from the database, not from what the process has seen since it began: a client that looks there after an outage takes for lost what is not listed.',
});

/** Lets the webhook be notified, and a number be tracked, so that lists have something to lose. */
async function somethingHappened(kit: ServiceKit, webhook: Webhook): Promise<void> {
  const [tracked] = kit.trackable;
  if (tracked !== undefined && offers(kit.contract, 'track')) {
    await kit.call('track', { body: trackingBody(kit.terms, tracked) });
    // What is found shows a moment later.
    await untilThere(
      kit,
      () => readAll(kit, []),
      (all) => all.length >= lists.filter(([role]) => isForAll(role) && offers(kit.contract, role)).length,
    );
  }
  await notificationAt(kit, webhook, await kit.raise(kit.scenarioEvents[0]));
  await kit.soon(() => acceptedBy(kit, webhook), kit.window);
}

/** What a list held before the restart. */
interface Held {
  readonly role: OperationRole;
  readonly requirement: RequirementId;
  readonly ids: readonly string[];
  readonly listing: Listing;
}

/** The ids in each list that can be read to its end: of webhooks those of this case alone, for others are removed at any time. */
async function readAll(kit: ServiceKit, webhooks: readonly Webhook[]): Promise<readonly Held[]> {
  const own = new Set(webhooks.map(({ id }) => id));
  const notified = new Set(webhooks.flatMap(({ endpoint }) => kit.notifications(endpoint).map(({ id }) => id)));
  const all: Held[] = [];
  for (const [role, requirement] of lists.filter(([role]) => offers(kit.contract, role))) {
    const listing = await kit.list(role).catch(unlessUnobservable);
    const ids = idsOf(kit, role, listing)
      .filter((id) => isForAll(role) || (role === 'list' ? own : notified).has(id))
      .slice(0, most);
    if (listing?.complete === true && ids.length > 0) all.push({ role, requirement, ids, listing });
  }
  return all;
}

/** Whether what others made stays in the list. */
function isForAll(role: OperationRole): boolean {
  return role !== 'list' && role !== 'notifications';
}

function idsOf(kit: ServiceKit, role: OperationRole, listing: Listing | undefined): readonly string[] {
  const idOf = (item: Json): Json | undefined =>
    role === 'notifications' ? recordMember(kit.contract, item, 'id') : valueAt(item, kit.terms.webhook.members.id);
  return (listing?.items ?? []).flatMap((item) => idText(idOf(item)) ?? []);
}

/** The first list that does not hold any more what it held. @throws Unproven where one cannot be read any more */
async function firstGone(kit: ServiceKit, before: readonly Held[]): Promise<ServiceFinding | undefined> {
  for (const { role, requirement, ids, listing } of before) {
    const { gone, after } = await untilThere(
      kit,
      () => goneFrom(kit, role, ids),
      (seen) => seen.gone.length === 0,
    );
    if (gone.length === 0) continue;
    if (after?.complete !== true)
      throw new Unproven('a list that could be read before the restart cannot be read to its end after it');
    return finding(requirement, {
      expected: `${counted(ids.length, 'item')} of the list ${ids.length === 1 ? 'is' : 'are'} listed after the restart as well`,
      actual: `${gone.length === ids.length ? 'none of them is' : `${gone.length} of them are not`}; the list holds ${after.items.length} in all`,
      exchanges: [...listing.pages.slice(0, 1), ...after.pages.slice(0, 1)],
      absence: true,
    });
  }
  return undefined;
}

async function goneFrom(kit: ServiceKit, role: OperationRole, ids: readonly string[]) {
  const after = await kit.list(role).catch(unlessUnobservable);
  const shown = new Set(idsOf(kit, role, after));
  return { after, gone: ids.filter((id) => !shown.has(id)) };
}

/** A webhook that the list shows otherwise than it was created. */
async function changed(kit: ServiceKit, webhooks: readonly Webhook[]): Promise<ServiceFinding | undefined> {
  const listing = await kit.list('list').catch(unlessUnobservable);
  for (const webhook of webhooks) {
    const shown = listing?.items.find((item) => idText(kit.member(item, 'id')) === webhook.id);
    const difference = shown === undefined ? undefined : differenceOf(kit, webhook, shown);
    if (difference === undefined) continue;
    return finding('LST-1', {
      expected: 'after the restart each webhook is listed as it was created',
      actual: `a webhook is listed ${difference}`,
      exchanges: [webhook.creation, ...(listing?.pages.slice(0, 1) ?? [])],
    });
  }
  return undefined;
}
