import fc from 'fast-check';

import { type Json, isJsonObject } from '../../../generators/json/json.ts';
import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding, Unobservable, type ServiceCheck } from '../../check.ts';
import type { Caught, Call } from '../../exchange.ts';
import type { CatchingEndpoint, TriggeredEvent, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed, listed, sameUrl } from '../creation.ts';
import { finding } from '../../finding.ts';
import { delivered } from '../firstDelivery.ts';
import { judgeSignature } from '../signing.ts';
import { itemOf } from '../../items.ts';
import { replacedSecret } from './replacedSecret.ts';

/** What an update can name. */
const changeable = ['url', 'active', 'events', 'headers'] as const;
type Changeable = (typeof changeable)[number];

/** All that must stay as it is where an update does not name it. */
const shown = [...changeable, 'id', 'type', 'secret', 'createdAt'] as const;

/** Sections 3.2 and 4.3: an update changes what it names and leaves the rest. */
const named = serviceCheck<readonly Changeable[]>({
  id: 'service/updates/named',
  title: 'changes what an update names, and leaves the rest as it was',
  requirements: ['ACT-3'],
  about: ['operation:update'],
  needs: [],
  weight: 0.5,
  cases: ({ terms }) => {
    const names = changeable.filter((name) => terms.webhook.members[name] !== undefined);
    return [...names.map((name) => fc.constant([name])), fc.subarray<Changeable>(names, { minLength: 2 })];
  },
  run: async (kit, names) => {
    const webhook = await kit.register({ active: false, headers: [{ name: 'X-Team', value: 'sea' }] });
    const before = await expectListed(kit, webhook);
    const changed = names.map((name) => [name, changeOf(kit, name)] as const);
    const changes = Object.fromEntries(changed);
    const attributes = changed.map(([name, change]) => [attributeNamed(kit.terms, name), change] as const);
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
    const right = isNamed ? (changes[name] ?? null) : (was as Json);
    if (is !== undefined && isSame(name, is as Json, right)) continue;
    // Whether a webhook comes back is ACT-2, which its deliveries show.
    if (isNamed && name === 'active') continue;
    const hidden = name === 'secret';
    return finding('ACT-3', {
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

const before = [{ name: 'X-Kit-Before', value: 'before' }] as const;
const later = [{ name: 'X-Kit-Later', value: 'later' }] as const;

type Part = 'url' | 'events' | 'headers';

/** Sections 3.2 and 4.3: an update holds for later deliveries, and what it does not name goes on as before. */
const followed = serviceCheck<readonly Part[]>({
  id: 'service/updates/followed',
  title: 'follows an update of url, events or headers in later deliveries, and keeps what was not named',
  requirements: ['ACT-3', 'SIG-2', 'WHK-9', 'SIG-1'],
  about: ['operation:update'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.12,
  cases: ({ terms }) => {
    const parts = (['url', 'events', 'headers'] as const).filter((part) => terms.webhook.members[part] !== undefined);
    return [...parts.map((part) => fc.constant([part])), fc.subarray<Part>(parts, { minLength: 2 })];
  },
  run: async (kit, parts) => {
    const [first, next] = kit.scenarioEvents;
    const unchanged = { events: [next], headers: later };
    const earlier = await kit.register(unchanged);
    const events = parts.includes('events') ? [first] : [...new Set([first, next])];
    const webhook = await kit.register({ events, headers: before });
    const twins = [earlier, await kit.register(unchanged)];
    await delivered(kit, webhook, await kit.trigger(first));
    const endpoint = parts.includes('url') ? kit.endpoint() : webhook.endpoint;
    const call = await kit.update(webhook, changes(kit, parts, endpoint));
    if (!isAmong(kit, call, 'update.response')) {
      throw new Unproven(`the update of the webhook was not taken as it is assumed: ${describeAnswer(call.answer)}`);
    }
    const triggered = itemOf(await kit.triggerAll([...new Set([next, first])]), 0);
    await kit.arrivals(webhook, triggered);
    for (const twin of twins) await expectPlain(kit, twin, triggered);
    return judge(kit, { webhook, endpoint, triggered, parts });
  },
  hint:
    'Read url, events and headers of the webhook when a delivery is made, not when the process started, and write only the ' +
    'columns that the update names.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const updatesChecks: readonly ServiceCheck[] = [named, followed, replacedSecret];

/**
 * A webhook that is registered as the other one is after its update shows what is to be expected.
 *
 * @throws Unproven where that is not what it should be: then an update has nothing to do with it
 */
async function expectPlain(kit: ServiceKit, twin: Webhook, triggered: TriggeredEvent): Promise<void> {
  const { attempts } = await delivered(kit, twin, triggered);
  const others = kit.notifications(twin.endpoint).filter(({ event }) => event !== triggered.event);
  const isSent = !hasHeaders(kit) || kit.header(attempts[0], later[0].name) !== undefined;
  if (isSent && others.length === 0) return;
  throw new Unproven('a webhook that was not updated gets other events or headers than its own as well');
}

function hasHeaders({ terms }: ServiceKit): boolean {
  return terms.webhook.members.headers !== undefined;
}

function changes(kit: ServiceKit, parts: readonly Part[], { url }: CatchingEndpoint): Readonly<Record<string, Json>> {
  const values: Readonly<Record<Part, Json>> = { url, events: [kit.scenarioEvents[1]], headers: later };
  return Object.fromEntries(parts.map((part) => [attributeNamed(kit.terms, part), values[part]]));
}

interface Updated {
  readonly webhook: Webhook;
  /** Where deliveries go after the update. */
  readonly endpoint: CatchingEndpoint;
  readonly triggered: TriggeredEvent;
  readonly parts: readonly Part[];
}

function judge(kit: ServiceKit, { webhook, endpoint, triggered, parts }: Updated): ServiceFinding | undefined {
  const { at: since, event } = triggered;
  const found = (actual: string, ...exchanges: readonly Caught[]) =>
    finding('ACT-3', {
      expected: `after an update of ${parts.join(' and ')} the next delivery follows it`,
      actual,
      exchanges: [webhook.creation, ...exchanges],
      // What other cases ask for at the same time (samples) may have strayed here: it has to recur alone.
      absence: true,
      hangsOnTime: true,
    });
  const isLater = laterThan(webhook, since);
  const came = endpoint.caught.filter(isLater);
  const first = came.find((caught) => kit.delivered(caught, 'event') === event);
  const stray = parts.includes('url') ? webhook.endpoint.caught.find(isLater) : undefined;
  if (stray) return found('a delivery went to the old url', stray);
  if (!first) return found(`nothing of ${event} came${parts.includes('url') ? ' to the new url' : ''}`);
  const other = came.find((caught) => kit.delivered(caught, 'event') !== event);
  if (other && parts.includes('events')) return found('an event came that the webhook does not subscribe to', other);
  if (!hasHeaders(kit)) return judgeSigned(kit, webhook, first);
  const [wanted, gone] = parts.includes('headers') ? [later[0], before[0]] : [before[0], later[0]];
  if (kit.header(first, wanted.name) !== wanted.value) return found(`${wanted.name} was not sent`, first);
  if (kit.header(first, gone.name) !== undefined) return found(`${gone.name} was still sent`, first);
  return judgeSigned(kit, webhook, first);
}

/**
 * What came since, and is no retry of what came before the update: its answer may have been too late, and where a retry then
 * goes, and with which headers, is open.
 */
function laterThan({ endpoint }: Webhook, since: number): (caught: Caught) => boolean {
  const before = new Set(endpoint.caught.filter(({ at }) => at < since).map(({ key }) => key));
  return ({ at, key }) => at >= since && (key === '' || !before.has(key));
}

function judgeSigned(kit: ServiceKit, webhook: Webhook, caught: Caught): ServiceFinding | undefined {
  return typeof webhook.secret === 'string' ? judgeSignature(kit, caught, { webhook, others: [] }) : undefined;
}
