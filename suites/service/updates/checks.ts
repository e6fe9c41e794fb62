import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { CatchingEndpoint, TriggeredEvent, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../attributeNamed.ts';
import { broken } from '../broken.ts';
import { delivered } from '../firstDelivery.ts';
import { judgeSignature } from '../signing.ts';

const before = [{ name: 'X-Kit-Before', value: 'before' }];
const later = [{ name: 'X-Kit-Later', value: 'later' }];

type Part = 'url' | 'events' | 'headers';

/** Sections 3.2 and 4.3: an update holds for later deliveries, and what it does not name goes on as before. */
export const followed = serviceCheck<readonly Part[]>({
  id: 'service/updates/followed',
  title: 'follows an update of url, events or headers in later deliveries, and keeps what was not named',
  requirements: ['ACT-3', 'SIG-2', 'WHK-9', 'SIG-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.12,
  cases: () => [
    ...(['url', 'events', 'headers'] as const).map((part) => fc.constant([part])),
    fc.subarray<Part>(['url', 'events', 'headers'], { minLength: 2 }),
  ],
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
    if (!kit.succeeded(call)) {
      throw new Unproven(`the update of the webhook was not taken as it is assumed: ${describeAnswer(call.answer)}`);
    }
    const [triggered] = await kit.triggerAll([...new Set([next, first])]);
    await kit.arrivals(webhook, triggered!);
    for (const twin of twins) await expectPlain(kit, twin, triggered!);
    return judge(kit, { webhook, endpoint, triggered: triggered!, parts });
  },
  hint:
    'Read url, events and headers of the webhook when a delivery is made, not when the process started, and write only the ' +
    'columns that the update names.',
});

/**
 * A webhook that is registered as the other one is after its update shows what is to be expected.
 *
 * @throws Unproven where that is not what it should be: then an update has nothing to do with it
 */
async function expectPlain(kit: ServiceKit, twin: Webhook, triggered: TriggeredEvent): Promise<void> {
  const { attempts } = await delivered(kit, twin, triggered);
  const others = kit.notifications(twin.endpoint).filter(({ event }) => event !== triggered.event);
  if (kit.header(attempts[0]!, later[0]!.name) !== undefined && others.length === 0) return;
  throw new Unproven('a webhook that was not updated gets other events or headers than its own as well');
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
    broken('ACT-3', {
      expected: `after an update of ${parts.join(' and ')} the next delivery follows it`,
      actual,
      exchanges: [webhook.creation, ...exchanges],
      // What other cases ask for at the same time (samples) may have strayed here: it has to recur alone.
      absence: true,
    });
  const came = endpoint.caught.filter(({ at }) => at >= since);
  const first = came.find((caught) => kit.delivered(caught, 'event') === event);
  const stray = parts.includes('url') ? webhook.endpoint.caught.find(({ at }) => at >= since) : undefined;
  if (stray) return found('a delivery went to the old url', stray);
  if (!first) return found(`nothing of ${event} came${parts.includes('url') ? ' to the new url' : ''}`);
  const other = came.find((caught) => kit.delivered(caught, 'event') !== event);
  if (other && parts.includes('events')) return found('an event came that the webhook does not subscribe to', other);
  const [wanted, gone] = parts.includes('headers') ? [later[0]!, before[0]!] : [before[0]!, later[0]!];
  if (kit.header(first, wanted.name) !== wanted.value) return found(`${wanted.name} was not sent`, first);
  if (kit.header(first, gone.name) !== undefined) return found(`${gone.name} was still sent`, first);
  return typeof webhook.secret === 'string' ? judgeSignature(kit, first, { webhook, others: [] }).finding : undefined;
}
