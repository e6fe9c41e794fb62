import { catalogue, creation, type Item, type ServiceClient } from '../serviceClient.ts';
import { deliveryProblem, type CaughtAttempt, type Script, type ServiceEndpoints } from '../serviceEndpoints.ts';

/** What the client of a service has at hand. */
export interface Scenery {
  readonly client: ServiceClient;
  readonly endpoints: ServiceEndpoints;
}

/** The shortest sequence that shows a subtle fault of a service, found by hand. */
export interface SubtleServiceDemonstration {
  /** How many calls it takes, those that raise an event included. */
  readonly calls: number;
  /** Whether it is shown. The conforming service must not show it. */
  readonly show: (scenery: Scenery) => Promise<boolean>;
}

const event = 'container.created';
const headers = [{ name: 'X-Mark', value: 'first' }];

/** A webhook for one event at an endpoint of its own. */
async function hook({ client, endpoints }: Scenery, script: Script, attributes: object = {}) {
  const endpoint = endpoints.add(...script);
  const webhook = await client.webhook(endpoint.url, { events: [event], ...attributes });
  return { endpoint, webhook };
}

function statusOf(listed: readonly Item[], attempt: CaughtAttempt | undefined): string | undefined {
  return listed.find(({ id }) => id === attempt?.json.data.id)?.attributes.delivery_status;
}

function isSignedFor({ attributes: { secret } }: Item): (attempt: CaughtAttempt) => boolean {
  return (attempt) => deliveryProblem(attempt, secret) === undefined;
}

/** In the order of the registry. */
export const subtleServiceDemonstrations: Readonly<Record<string, SubtleServiceDemonstration>> = {
  'keeps-the-old-url-for-what-it-retries': {
    calls: 3,
    show: async (scenery) => {
      const { client, endpoints } = scenery;
      const { endpoint, webhook } = await hook(scenery, [500]);
      const moved = endpoints.add(200);
      await client.emit(event);
      await endpoint.caught(1);
      await client.update(webhook.id, { url: moved.url });
      await client.settled(1);
      return moved.attempts.length === 0;
    },
  },
  'signs-with-another-secret-after-two-updates': {
    calls: 4,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint, webhook } = await hook(scenery, [200]);
      await client.update(webhook.id, { active: true });
      await client.update(webhook.id, { active: true });
      await client.emit(event);
      await client.settled(1);
      return !isSignedFor(webhook)(endpoint.attempts[0]!);
    },
  },
  'gives-up-one-retry-too-early-after-an-update': {
    calls: 3,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint, webhook } = await hook(scenery, [500]);
      await client.emit(event);
      await endpoint.caught(2);
      await client.update(webhook.id, { active: true });
      await client.settled(1);
      return endpoint.attempts.length === 12;
    },
  },
  'counts-attempts-by-url': {
    calls: 3,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [500]);
      await client.webhook(endpoint.url, { events: [event] });
      await client.emit(event);
      await client.settled(2);
      return endpoint.attempts.length < 26;
    },
  },
  'sends-the-headers-of-the-first-webhook-at-a-url': {
    calls: 3,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [200], { headers });
      const second = await client.webhook(endpoint.url, { events: [event] });
      await client.emit(event);
      await client.settled(2);
      return endpoint.attempts.find(isSignedFor(second))!.headers['x-mark'] !== undefined;
    },
  },
  'drops-what-happens-while-a-neighbour-is-retried': {
    calls: 4,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [500]);
      await client.emit(event);
      await endpoint.caught(2);
      await client.webhook(endpoint.url, { events: [event] });
      const reported = await client.emit(event);
      await client.settled(1 + reported);
      return reported === 1;
    },
  },
  'signs-samples-with-the-secret-of-a-webhook': {
    calls: 2,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [200]);
      await client.call('triggerWebhook', { body: { url: endpoint.url, event, secret: 'given' } });
      const [sample] = await endpoint.caught(1);
      return deliveryProblem(sample!, 'given') !== undefined;
    },
  },
  'gives-up-on-a-time-out-after-two-refusals': {
    calls: 2,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [500, 500, 'hang', 200]);
      await client.emit(event);
      await client.settled(1);
      return endpoint.attempts.length === 3;
    },
  },
  'delivers-again-what-was-accepted-after-a-reset': {
    calls: 2,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [500, 'reset', 200]);
      await client.emit(event);
      await client.settled(1);
      return endpoint.attempts.length === 4;
    },
  },
  'misses-a-repeated-event-in-a-long-list': {
    calls: 1,
    show: async ({ client, endpoints }) => {
      const events = [...catalogue.slice(0, 20), catalogue[0]];
      const body = creation({ url: endpoints.add(200).url, active: true, events });
      return (await client.send('POST', '/webhooks', { body, mediaType: 'application/json' })).status === 201;
    },
  },
  'lists-one-of-two-notifications-of-one-moment': {
    calls: 4,
    show: async (scenery) => {
      const { client } = scenery;
      const { endpoint } = await hook(scenery, [200]);
      await Promise.all(Array.from({ length: 20 }, () => client.emit(event)));
      const attempts = await endpoint.caught(20);
      const listed = await client.all('listWebhookNotifications');
      return attempts.some((attempt) => statusOf(listed, attempt) === undefined);
    },
  },
  'drops-the-third-notification-of-one-moment': {
    calls: 4,
    show: async (scenery) => {
      const { client } = scenery;
      await hook(scenery, [200]);
      const reported = await Promise.all(Array.from({ length: 10 }, () => client.emit(event)));
      return reported.includes(0);
    },
  },
};
