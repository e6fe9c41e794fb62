import fc from 'fast-check';

import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { CatchingEndpoint, Registration, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed, listed, onePerUrl } from '../creation.ts';
import { finding } from '../../finding.ts';
import type { Json } from '../../../generators/json/json.ts';
import { isRequired } from '../../../generators/calls/plainBody.ts';
import type { Contract } from '../../../spec/contract.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import { deleted, changeable, changeOf, expectListed, inWords, isShownAs, shown, type Changeable } from './updated.ts';
import { counted } from '../../items.ts';

/** What two webhooks have in common, and what becomes of one of them. */
interface Pair {
  /** True: neither names events or headers. */
  readonly bare?: true;
  /** True: both have one url. */
  readonly oneUrl?: true;
  /** What happens to one of them. An update that turns it on changes all else of it as well. */
  readonly change: 'turned on' | 'turned off' | 'deleted';
}

/** Sections 3.2 and 4.3: an update, or a deletion, is about one webhook. */
export const others = serviceCheck<Pair>({
  id: 'service/updates/others',
  title: 'leaves other webhooks as they are, also those with the same url or the same defaults',
  requirements: ['ACT-3', 'LST-1'],
  about: ['operation:update'],
  needs: [],
  weight: 0.06,
  cases: ({ contract }) => [
    ...(needsEvents(contract) ? [] : [fc.constant({ bare: true, change: 'turned on' } as const)]),
    fc.constant({ change: 'turned on' }),
    fc.constant({ oneUrl: true, change: 'turned on' }),
    fc.constant({ oneUrl: true, change: 'turned off' }),
    ...(offers(contract, 'delete') ? [fc.constant({ oneUrl: true, change: 'deleted' } as const)] : []),
  ],
  run: async (kit, pair) => {
    const { bare, oneUrl, change } = pair;
    const registration = {
      active: change === 'turned off',
      ...(bare ? { events: null } : { headers: [{ name: 'X-Team', value: 'sea' }] }),
    };
    const endpoint = kit.endpoint();
    const other = await registered(kit, registration, endpoint);
    const changed = await registered(kit, registration, oneUrl ? endpoint : kit.endpoint());
    if (changed.id === other.id) throw new Unobservable(onePerUrl);
    const before = await expectListed(kit, other);
    const call = change === 'deleted' ? await deleted(kit, changed) : await updated(kit, changed, change);
    const after = await listed(kit, other);
    const exchanges = [other.creation, changed.creation, call, ...kit.exchanges.slice(-1)];
    if (after === undefined)
      return finding('LST-1', {
        expected: `the other webhook is still listed when one is ${change}`,
        actual: `it is gone${inCommon(pair)}`,
        exchanges,
        absence: true,
      });
    const differing = shown.find((name) => {
      const [was, is] = [kit.member(before, name), kit.member(after, name)];
      return was !== undefined && (is === undefined || !isShownAs(name, is as Json, was as Json));
    });
    if (differing === undefined) return undefined;
    const actual = differing === 'secret' ? 'another' : inWords(kit.member(after, differing));
    return finding('ACT-3', {
      expected: `${differing} of the other webhook stays as it was when one is ${change}`,
      actual: `${differing} of the other webhook is ${actual}${inCommon(pair)}`,
      exchanges,
    });
  },
  hint: 'Give each webhook a copy of its defaults: a list that all of them share changes for all of them. Name the id in the WHERE of the statement.',
});

function needsEvents(contract: Contract): boolean {
  const { events } = contract.service?.webhook.members ?? {};
  return events !== undefined && isRequired(contract, 'create', events);
}

function inCommon({ bare, oneUrl }: Pair): string {
  return `${bare ? '. Both were created without events and headers' : ''}${oneUrl ? '. Both were created with one url' : ''}`;
}

/** @throws Unobservable where the service takes no such update */
async function updated(kit: ServiceKit, webhook: Webhook, change: Pair['change']): Promise<Call> {
  const named = change === 'turned off' ? (['active'] as const) : changeable;
  const names = named.filter((name) => kit.terms.webhook.members[name] !== undefined);
  const attributes = names.map((name): [string, Json] => [
    attributeNamed(kit.terms, name),
    name === 'active' ? change === 'turned on' : changeOf(kit, name),
  ]);
  const update = await kit.update(webhook, Object.fromEntries(attributes));
  if (isAmong(kit, update, 'update.response')) return update;
  throw new Unobservable(`the service does not take the update: ${describeAnswer(update.answer)}`);
}

/** @throws Unobservable where the service refuses such a creation: other checks say whether it may */
async function registered(kit: ServiceKit, registration: Registration, endpoint: CatchingEndpoint): Promise<Webhook> {
  const body = kit.creation(kit.plainAttributes(endpoint.url, registration));
  const creation = await kit.call('create', { body });
  const webhook = kit.succeeded(creation) ? kit.adopt(creation, endpoint) : undefined;
  if (webhook !== undefined) return webhook;
  throw new Unobservable(`the service does not create such a webhook: ${describeAnswer(creation.answer)}`);
}

/** How often it is tried: whether two updates meet between a reading and a writing is chance. */
const rounds = 3;

/** Sections 3.2 and 4.3: what an update does not name stays as it was, also as another update has just made it. */
export const atOnce = serviceCheck<readonly Changeable[]>({
  id: 'service/updates/at-once',
  title: 'keeps what each of several updates names that come at the same time',
  requirements: ['ACT-3'],
  about: ['operation:update'],
  needs: [],
  weight: 0.06,
  cases: ({ terms }) => {
    const names = changeable.filter((name) => terms.webhook.members[name] !== undefined);
    return [
      fc.shuffledSubarray<Changeable>(names, { minLength: names.length }),
      fc.shuffledSubarray(names, { minLength: 2 }),
    ];
  },
  run: async (kit, names) => {
    for (let round = 0; round < rounds; round += 1) {
      const found = await oneRound(kit, names);
      if (found) return found;
    }
    return undefined;
  },
  hint:
    'Write only the columns that an update names, in one statement, or read and write the webhook in one transaction that ' +
    'locks its row. Code that loads a webhook, changes it and saves all of it undoes what another request saved meanwhile.',
});

/** One update of a webhook, of one of its members. */
interface OneUpdate {
  readonly name: Changeable;
  readonly change: Json;
  readonly call: Call;
}

async function oneRound(kit: ServiceKit, names: readonly Changeable[]): Promise<ServiceFinding | undefined> {
  const webhook = await kit.register({ active: false, headers: [{ name: 'X-Team', value: 'sea' }] });
  const updates = await Promise.all(names.map((name) => update(kit, webhook, name, changeOf(kit, name))));
  if (updates.some(({ call }) => call.request.method === 'PUT'))
    throw new Unobservable('each update replaces the whole webhook (PUT): the last one says what holds');
  // A service may refuse one of two updates that meet.
  const taken = updates.filter(({ call }) => isAmong(kit, call, 'update.response'));
  if (!overlap(taken.map(({ call }) => call))) throw new Unproven('no two updates were under way at the same time');
  const lostIn = (listed: Json) => taken.find((each) => !isShown(kit, listed, each));
  let shown = await expectListed(kit, webhook);
  if (lostIn(shown)) {
    // A list may be behind for a moment.
    await kit.settle();
    shown = await expectListed(kit, webhook);
  }
  const lost = lostIn(shown);
  if (lost === undefined) return undefined;
  const reading = kit.exchanges.slice(-1);
  await expectAlone(kit, webhook, lost);
  const others = taken.filter((each) => each !== lost);
  return finding('ACT-3', {
    expected: `updates of ${names.join(', ')} that come at the same time, each in a call of its own, all hold`,
    actual: `the update of ${lost.name}, sent together with ${counted(others.length, 'other')}, was answered ${describeAnswer(lost.call.answer)}, and ${lost.name} is ${inWords(kit.member(shown, lost.name))} afterwards`,
    exchanges: [webhook.creation, lost.call, ...others.map(({ call }) => call), ...reading],
  });
}

async function update(kit: ServiceKit, webhook: Webhook, name: Changeable, change: Json): Promise<OneUpdate> {
  return { name, change, call: await kit.update(webhook, { [attributeNamed(kit.terms, name)]: change }) };
}

function isShown(kit: ServiceKit, resource: Json, { name, change }: OneUpdate): boolean {
  const value = kit.member(resource, name);
  return value === undefined || isShownAs(name, value as Json, change);
}

/** @throws Unproven where the update is not followed by itself either: then the others have nothing to do with it */
async function expectAlone(kit: ServiceKit, webhook: Webhook, lost: OneUpdate): Promise<void> {
  await update(kit, webhook, lost.name, lost.change);
  if (isShown(kit, await expectListed(kit, webhook), lost)) return;
  throw new Unproven(`an update of ${lost.name} alone is not followed either`);
}

/** Whether one was sent before another was answered. */
function overlap(calls: readonly Call[]): boolean {
  return calls.some((one) =>
    calls.some((other) => other !== one && one.at <= other.at && other.at < one.at + one.answer.ms),
  );
}
