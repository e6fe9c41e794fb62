import fc from 'fast-check';

import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { serviceCheck, Unobservable, type ServiceFinding } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../attributeNamed.ts';
import { broken } from '../broken.ts';
import { listed } from '../creation.ts';
import { sameUrl } from '../sameUrl.ts';
import { isAmong } from '../isAmong.ts';

/** What an update can name. */
const changeable = ['url', 'active', 'events', 'headers'] as const;
type Changeable = (typeof changeable)[number];

/** All that must stay as it is where an update does not name it. */
const shown = [...changeable, 'id', 'type', 'secret', 'createdAt'] as const;

/** Sections 3.2 and 4.3: an update changes what it names and leaves the rest. */
export const named = serviceCheck<readonly Changeable[]>({
  id: 'service/updates/named',
  title: 'changes what an update names, and leaves the rest as it was',
  requirements: ['ACT-3'],
  needs: [],
  weight: 0.5,
  cases: () => [
    ...changeable.map((name) => fc.constant([name])),
    fc.subarray<Changeable>([...changeable], { minLength: 2 }),
  ],
  run: async (kit, names) => {
    const webhook = await kit.register({ active: false, headers: [{ name: 'X-Team', value: 'sea' }] });
    const before = await expectListed(kit, webhook);
    const changes = Object.fromEntries(names.map((name) => [name, changeOf(kit, name)]));
    const attributes = names.map((name) => [attributeNamed(kit.terms, name), changes[name]!] as const);
    const update = await kit.update(webhook, Object.fromEntries(attributes));
    if (!isAmong(kit, update, 'update.response')) {
      throw new Unobservable(
        `the service does not take an update of ${names.join(', ')} as it is assumed; --assume 'update=<METHOD> <path>' names another way`,
      );
    }
    const after = await expectListed(kit, webhook);
    return compare(kit, { names, changes, before, after, update });
  },
  hint: 'Merge the attributes that the update names into those that are stored; what it does not name stays stored.',
});

function changeOf(kit: ServiceKit, name: Changeable): Json {
  switch (name) {
    case 'url':
      return kit.endpoint().url;
    case 'active':
      return true;
    case 'events':
      return kit.contract.events.slice(-3).map((event) => event.name);
    case 'headers':
      return [{ name: 'X-Fleet', value: 'north' }];
  }
}

async function expectListed(kit: ServiceKit, webhook: Webhook): Promise<Json> {
  const found = await listed(kit, webhook);
  if (found !== undefined) return found;
  throw new Unobservable('the service does not list the webhook, so that nothing shows what an update changed');
}

interface Compared {
  readonly names: readonly Changeable[];
  readonly changes: Readonly<Record<string, Json>>;
  readonly before: Json;
  readonly after: Json;
  readonly update: Call;
}

/** Only members that the list shows are compared. */
function compare(kit: ServiceKit, { names, changes, before, after, update }: Compared): ServiceFinding | undefined {
  for (const name of shown) {
    const [was, is] = [kit.member(before, name), kit.member(after, name)];
    if (was === undefined) continue;
    const isNamed = (names as readonly string[]).includes(name);
    const right = isNamed ? changes[name]! : (was as Json);
    if (is !== undefined && isSame(name, is as Json, right)) continue;
    // Whether a webhook comes back is ACT-2, which its deliveries show.
    if (isNamed && name === 'active') continue;
    const hidden = name === 'secret';
    return broken('ACT-3', {
      expected: isNamed ? `${name} is changed as the update says` : `${name}, which the update does not name, stays`,
      actual: hidden ? `${name} is another` : `${name} is ${JSON.stringify(is) ?? 'gone'}`,
      exchanges: [update, ...kit.exchanges.slice(-1)],
    });
  }
  return undefined;
}

/** Header names may be capitalised, and events may be in any order. */
function isSame(name: (typeof shown)[number], one: Json, other: Json): boolean {
  if (name === 'url' && typeof other === 'string') return sameUrl(one, other);
  return normal(one) === normal(other);
}

function normal(value: Json): string {
  return Array.isArray(value) ? JSON.stringify(value.map(normalItem).toSorted()) : JSON.stringify(value);
}

/** A header has a name and a value, and maybe more that a service adds. */
function normalItem(item: Json): string {
  if (!isJsonObject(item) || typeof item['name'] !== 'string') return JSON.stringify(item);
  return JSON.stringify([item['name'].toLowerCase(), item['value'] ?? null]);
}
