import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { CatchingEndpoint, ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { delivered } from '../firstDelivery.ts';
import { judgeSigned } from '../signing.ts';
import { itemOf, pairs } from '../../items.ts';
import { underWay } from '../isInactive.ts';
import { before, later, wrongHeaders } from './updated.ts';

type Part = 'url' | 'events' | 'headers';

interface FollowedUpdate {
  readonly parts: readonly Part[];
  /** True where the webhook is inactive at the time of the update, and active again after it. Default: it stays active. */
  readonly asleep?: true;
}

/** Sections 3.2 and 4.3: an update holds for later deliveries, and what it does not name goes on as before. */
export const followed = serviceCheck<FollowedUpdate>({
  id: 'service/updates/followed',
  title: 'follows an update of url, events or headers in later deliveries, and keeps what was not named',
  requirements: ['ACT-3', 'SIG-2', 'WHK-9', 'SIG-1'],
  about: ['operation:update'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.12,
  cases: ({ terms }) => {
    const parts = (['url', 'events', 'headers'] as const).filter((part) => terms.webhook.members[part] !== undefined);
    const several = fc.record({ parts: fc.subarray<Part>(parts, { minLength: 2 }) });
    const whole = fc.constant<FollowedUpdate>({ parts, asleep: true });
    const asleep = terms.webhook.members.active === undefined ? [] : [whole];
    return [...parts.map((part) => fc.constant({ parts: [part] })), several, ...asleep];
  },
  run: async (kit, { parts, asleep }) => {
    const [first, next] = kit.scenarioEvents;
    const unchanged = { events: [next], headers: [later] };
    const earlier = await kit.register(unchanged);
    const events = parts.includes('events') ? [first] : [...new Set([first, next])];
    const caused = [...new Set([next, first])];
    const known = caused.map((event) => kit.monitored(event).length);
    const webhook = await kit.register({ events, headers: [before] });
    const twins = [earlier, await kit.register(unchanged)];
    await delivered(kit, webhook, await kit.trigger(first));
    const endpoint = parts.includes('url') ? kit.endpoint() : webhook.endpoint;
    const active = (value: boolean) => updateTaken(kit, webhook, { [attributeNamed(kit.terms, 'active')]: value });
    if (asleep) await active(false);
    await updateTaken(kit, webhook, changes(kit, parts, endpoint));
    if (asleep) await active(true);
    const triggeredEvents = await kit.triggerAll(caused);
    const left = new Map(
      pairs(triggeredEvents, known).map(([each, count]) => [
        each.event,
        events.includes(each.event) ? underWay(kit, webhook, each, count) : 0,
      ]),
    );
    const triggered = itemOf(triggeredEvents, 0);
    await kit.arrivals(webhook, triggered);
    for (const twin of twins) await expectPlain(kit, twin, triggered);
    return judge(kit, { webhook, endpoint, triggered, left, parts, asleep });
  },
  hint:
    'Read url, events and headers of the webhook when a delivery is made, not when the process started, and write only the ' +
    'columns that the update names. A list of who subscribes to an event changes with them, and loses what an update takes away.',
});

/** @throws Unproven where it is refused: how webhooks are updated is not described (GAP-9) */
async function updateTaken(kit: ServiceKit, webhook: Webhook, attributes: Readonly<Record<string, Json>>) {
  const call = await kit.update(webhook, attributes);
  if (isAmong(kit, call, 'update.response')) return;
  throw new Unproven(`the update of the webhook was not taken as it is assumed: ${describeAnswer(call.answer)}`);
}

/**
 * A webhook that is registered as the other one is after its update shows what is to be expected.
 *
 * @throws Unproven where that is not what it should be: then an update has nothing to do with it
 */
async function expectPlain(kit: ServiceKit, twin: Webhook, triggered: TriggeredEvent): Promise<void> {
  const { attempts } = await delivered(kit, twin, triggered);
  const others = kit.notifications(twin.endpoint).filter(({ event }) => event !== triggered.event);
  const isSent = !hasHeaders(kit) || kit.header(attempts[0], later.name) !== undefined;
  if (isSent && others.length === 0) return;
  throw new Unproven('a webhook that was not updated gets other events or headers than its own as well');
}

function hasHeaders({ terms }: ServiceKit): boolean {
  return terms.webhook.members.headers !== undefined;
}

function changes(kit: ServiceKit, parts: readonly Part[], { url }: CatchingEndpoint): Readonly<Record<string, Json>> {
  const values: Readonly<Record<Part, Json>> = { url, events: [kit.scenarioEvents[1]], headers: [later] };
  return Object.fromEntries(parts.map((part) => [attributeNamed(kit.terms, part), values[part]]));
}

interface Updated {
  readonly webhook: Webhook;
  /** Where deliveries go after the update. */
  readonly endpoint: CatchingEndpoint;
  readonly triggered: TriggeredEvent;
  /** By event: how many notifications were made before the update at most, and had not come by then. */
  readonly left: ReadonlyMap<unknown, number>;
  readonly parts: readonly Part[];
  readonly asleep: true | undefined;
}

function judge(kit: ServiceKit, updated: Updated): ServiceFinding | undefined {
  const { webhook, endpoint, triggered, left, parts, asleep } = updated;
  const { at: since, event } = triggered;
  const found = (actual: string, ...exchanges: readonly Caught[]) =>
    finding('ACT-3', {
      expected: `after an update of ${parts.join(' and ')}${asleep ? ', made while the webhook was inactive,' : ''} the next delivery follows it`,
      actual,
      exchanges: [webhook.creation, ...exchanges],
      // What other cases ask for at the same time (samples) may have strayed here: it has to recur alone.
      absence: true,
      hangsOnTime: true,
    });
  const isLater = laterThan(webhook, since);
  const came = endpoint.caught.filter(isLater);
  const own = came.filter((caught) => kit.delivered(caught, 'event') === event);
  const stray = parts.includes('url') ? beyond(kit, webhook.endpoint.caught.filter(isLater), left) : undefined;
  if (stray) return found('a delivery went to the old url', stray);
  if (own.length === 0) expectDue(kit, updated, came);
  if (own.length === 0) return found(`nothing of ${event} came${parts.includes('url') ? ' to the new url' : ''}`);
  const others = parts.includes('events') ? came.filter((caught) => !own.includes(caught)) : [];
  const other = beyond(kit, others, left);
  if (other) {
    const name = String(kit.delivered(other, 'event'));
    return found(`a notification of ${name} came, which the webhook does not subscribe to any more`, other);
  }
  const asked = parts.includes('headers') ? { wanted: later, gone: before } : { wanted: before, gone: later };
  const wrong = own.filter((caught) => wrongHeaders(kit, caught, asked) !== undefined);
  const last = wrong.at(-1);
  // One of them at least was made after the update.
  if (last && wrong.length > Math.min(left.get(event) ?? 0, own.length - 1))
    return found(wrongHeaders(kit, last, asked) ?? '', last);
  return judgeSigned(
    kit,
    webhook,
    itemOf(
      own.filter((caught) => !wrong.includes(caught)),
      0,
    ),
  );
}

/**
 * @param came - to it since the update
 * @throws Unproven where another reason than the update may have kept away what did not come
 */
function expectDue(kit: ServiceKit, { webhook, endpoint, triggered, asleep }: Updated, came: readonly Caught[]): void {
  const { at: since, event } = triggered;
  const isAgain = ({ at, key }: Caught) => at >= since && key !== '';
  if (endpoint.caught.some((each) => isAgain(each) && kit.delivered(each, 'event') === event))
    throw new Unproven('what came after the update has the id of an earlier notification, as a retry has');
  if (asleep !== true) return;
  // Whether it hears of anything once it is active again is for service/activation/inactive to say.
  const elsewhere = webhook.endpoint.caught.filter(laterThan(webhook, since));
  if (came.length + elsewhere.length === 0) throw new Unproven('nothing came to the webhook once it was active again');
}

/** The last of these, where more came of its event than can have been made before the update. */
function beyond(kit: ServiceKit, caught: readonly Caught[], left: Updated['left']): Caught | undefined {
  const eventOf = (each: Caught) => kit.delivered(each, 'event');
  const sameAs = (one: Caught) => caught.filter((other) => eventOf(other) === eventOf(one));
  return caught.findLast((each) => sameAs(each).length > (left.get(eventOf(each)) ?? 0));
}

/**
 * What came since, and is no retry: one of what came before the update may come because its answer was too late, and
 * `service/updates/pending` says where it goes.
 */
function laterThan({ endpoint }: Webhook, since: number): (caught: Caught) => boolean {
  const earlier = new Set(endpoint.caught.filter(({ at }) => at < since).map(({ key }) => key));
  return ({ at, key, number }) => at >= since && (key === '' || (number === 1 && !earlier.has(key)));
}
