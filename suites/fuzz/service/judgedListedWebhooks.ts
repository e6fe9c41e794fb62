import type { Json } from '../../../generators/json/json.ts';
import { sameUrl } from '../../service/sameUrl.ts';
import { type Found, wrong } from './found.ts';
import { hasFailed } from './hasFailed.ts';
import { isSameSet } from './isSameSet.ts';
import type { Registered } from './registered.ts';
import type { World } from './world.ts';

/** How often the list is read before something counts as missing there: others come and go while it is read. */
const readings = 4;

/** Holds the list of webhooks against what they were told to be. @throws Unobservable where it cannot be read */
export async function judgeListedWebhooks(world: World): Promise<void> {
  const owners = world.registered.filter(({ now, states }) => !now.gone && !states.some(({ unclear }) => unclear));
  let items: readonly Json[] = [];
  for (let reading = 0; reading < readings; reading += 1) {
    items = (await world.kit.list('listWebhooks')).items;
    if (owners.every((owner) => listedAs(world, owner, items))) break;
  }
  if (owners.length > 0) world.judge('LST-1');
  for (const owner of owners) world.accuse(judged(world, owner, listedAs(world, owner, items)));
}

function listedAs({ kit }: World, { webhook }: Registered, items: readonly Json[]): Json | undefined {
  return items.find((item) => kit.member(item, 'id') === webhook.id);
}

function judged(world: World, owner: Registered, item: Json | undefined): Found | undefined {
  const { kit } = world;
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
  const [name, requirement] = differing(world, owner, item) ?? [];
  if (name === undefined) return undefined;
  world.judge('ACT-3');
  return wrong('wrong-resource', states.length > 1 ? 'ACT-3' : requirement!, {
    expected: `${name} is listed as it was set last: ${JSON.stringify(name === 'url' ? 'the url of its endpoint' : now[name])}`,
    actual: `it is ${JSON.stringify(kit.member(item, name)) ?? 'missing'}`,
    exchanges,
  });
}

function differing(world: World, { now }: Registered, item: Json) {
  const { kit } = world;
  const shown = (name: 'url' | 'active' | 'events') => kit.member(item, name);
  if (!sameUrl(shown('url'), now.place.url)) return ['url', 'WHK-4'] as const;
  if (now.events !== null && !isSameSet(shown('events'), now.events)) return ['events', 'WHK-7'] as const;
  // The service may switch off what fails (GAP-5).
  const isOff = shown('active') === false && hasFailed(world);
  return shown('active') === now.active || isOff ? undefined : (['active', 'WHK-5'] as const);
}
