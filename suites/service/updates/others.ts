import fc from 'fast-check';

import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unobservable } from '../../check.ts';
import type { CatchingEndpoint, Registration, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import type { Json } from '../../../generators/json/json.ts';
import { changeable, changeOf, expectListed, isShownAs, shown } from './updated.ts';

/** What two webhooks have in common. */
interface Pair {
  /** True: neither names events or headers. */
  readonly bare: boolean;
  /** True: both have one url. */
  readonly oneUrl: boolean;
}

/** Sections 3.2 and 4.3: an update is about one webhook. */
export const others = serviceCheck<Pair>({
  id: 'service/updates/others',
  title: 'leaves other webhooks as they are, also those with the same url or the same defaults',
  requirements: ['ACT-3'],
  about: ['operation:update'],
  needs: [],
  weight: 0.06,
  cases: () => [
    fc.constant({ bare: true, oneUrl: false }),
    fc.constant({ bare: false, oneUrl: false }),
    fc.constant({ bare: false, oneUrl: true }),
  ],
  run: async (kit, { bare, oneUrl }) => {
    const registration = {
      active: false,
      ...(bare ? { events: null } : { headers: [{ name: 'X-Team', value: 'sea' }] }),
    };
    const endpoint = kit.endpoint();
    const other = await registered(kit, registration, endpoint);
    const updated = await registered(kit, registration, oneUrl ? endpoint : kit.endpoint());
    const before = await expectListed(kit, other);
    const names = changeable.filter((name) => kit.terms.webhook.members[name] !== undefined);
    const changes = names.map((name) => [attributeNamed(kit.terms, name), changeOf(kit, name)] as const);
    const update = await kit.update(updated, Object.fromEntries(changes));
    if (!isAmong(kit, update, 'update.response'))
      throw new Unobservable(`the service does not take the update: ${describeAnswer(update.answer)}`);
    const after = await expectListed(kit, other);
    const changed = shown.find((name) => {
      const [was, is] = [kit.member(before, name), kit.member(after, name)];
      return was !== undefined && (is === undefined || !isShownAs(name, is as Json, was as Json));
    });
    if (changed === undefined) return undefined;
    const actual = changed === 'secret' ? 'another' : (JSON.stringify(kit.member(after, changed)) ?? 'gone');
    return finding('ACT-3', {
      expected: `an update of one webhook leaves ${changed} of another as it was`,
      actual: `${changed} of the other webhook is ${actual}${bare ? '. Both were created without events and headers' : ''}${oneUrl ? '. Both were created with one url' : ''}`,
      exchanges: [other.creation, updated.creation, update, ...kit.exchanges.slice(-1)],
    });
  },
  hint: 'Give each webhook a copy of its defaults: a list that all of them share changes for all of them. Name the id in the WHERE of the statement.',
});

/** @throws Unobservable where the service refuses such a creation: other checks say whether it may */
async function registered(kit: ServiceKit, registration: Registration, endpoint: CatchingEndpoint): Promise<Webhook> {
  const body = kit.creation(kit.plainAttributes(endpoint.url, registration));
  const creation = await kit.call('create', { body });
  const webhook = kit.succeeded(creation) ? kit.adopt(creation, endpoint) : undefined;
  if (webhook !== undefined) return webhook;
  throw new Unobservable(`the service does not create such a webhook: ${describeAnswer(creation.answer)}`);
}
