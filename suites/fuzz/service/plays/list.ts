import { Unobservable } from '../../../check.ts';
import type { ListStep } from '../steps.ts';
import type { ServiceModelState } from '../serviceModelState.ts';
import type { Play } from './play.ts';
import type { Json } from '../../../../generators/json/json.ts';
import { sameUrl } from '../../../service/creation.ts';
import { type Found, wrong } from '../found.ts';
import { isSwitchedOff } from '../outcome.ts';
import { isSameSet } from './create.ts';
import type { Registered } from '../registered.ts';

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
  return items.find((item) => kit.member(item, 'id') === webhook.id);
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
  if (now.events !== null && !isSameSet(shown('events'), now.events)) return ['events', 'WHK-7'] as const;
  return shown('active') === now.active || isSwitchedOff(modelState, item) ? undefined : (['active', 'WHK-5'] as const);
}

/** Reads a list: how the webhooks of the sequence are listed is judged at once, how its notifications are, at the end. */
export const list: Play<ListStep> = {
  can: ({ taken }, { what }) => what === 'notifications' || taken.size > 0,
  async play(modelState, { what }) {
    try {
      await (what === 'webhooks' ? judgeListedWebhooks(modelState) : look(modelState));
    } catch (error) {
      if (!(error instanceof Unobservable)) throw error;
    }
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
