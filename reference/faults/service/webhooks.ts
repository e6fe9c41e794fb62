import { createHash } from 'node:crypto';

import { member } from '../../service/reply.ts';
import type { ServicePolicies, Showing } from '../../service/policies.ts';
import type { Resource, Webhook } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** Shows webhooks otherwise. */
function showing(
  policies: ServicePolicies,
  change: (resource: Resource, webhook: Webhook, showing: Showing) => Resource,
): ServicePolicies {
  return {
    ...policies,
    webhookResource: (webhook, as, timestamp) => change(policies.webhookResource(webhook, as, timestamp), webhook, as),
  };
}

function withAttributes(resource: Resource, attributes: Readonly<Record<string, unknown>>): Resource {
  return { ...resource, attributes: { ...resource.attributes, ...attributes } };
}

/** A webhook is not shown as it should be, or is not what it should be (WHK-1 to WHK-13, CRW-1, LST-1). */
export const webhookFaults: ServiceFaults = {
  'shows-webhooks-without-a-type': {
    summary: 'Leaves the type out of the resource.',
    breaks: ['WHK-1', 'WHK-3'],
    change: (policies) =>
      showing(policies, (resource, _webhook, as) =>
        as === 'created' ? ({ id: resource.id, attributes: resource.attributes } as Resource) : resource,
      ),
  },
  'types-webhooks-in-the-plural': {
    summary: 'Types the resource as webhooks.',
    breaks: ['WHK-3'],
    change: (policies) =>
      showing(policies, (resource, _webhook, as) => (as === 'created' ? { ...resource, type: 'webhooks' } : resource)),
  },
  'numbers-its-webhooks': {
    summary: 'Gives webhooks the number of their row as their id.',
    breaks: ['WHK-2'],
    change: (policies) => {
      let last = 1000;
      return { ...policies, newWebhookId: () => String((last += 1)) };
    },
  },
  'takes-the-id-from-the-client': {
    summary: 'Stores the id that a client sends.',
    breaks: ['WHK-2'],
    change: (policies) => ({
      ...policies,
      newWebhookId: (body) => textIn(member(body, 'data', 'id')) ?? policies.newWebhookId(body),
    }),
  },
  'shows-the-url-without-its-query': {
    summary: 'Cuts the query off the url that it shows.',
    breaks: ['WHK-4'],
    change: (policies) =>
      showing(policies, (resource, { url }) => withAttributes(resource, { url: url.replace(/\?.*/, '') })),
  },
  'shows-active-as-text': {
    summary: 'Answers with "true" or "false" as a text.',
    breaks: ['WHK-5'],
    change: (policies) =>
      showing(policies, (resource, { active }, as) =>
        as === 'created' ? withAttributes(resource, { active: String(active) }) : resource,
      ),
  },
  'shows-groups-of-events': {
    summary: 'Answers with the groups of the events that were asked for.',
    breaks: ['WHK-7'],
    change: (policies) =>
      showing(policies, (resource, { events }, as) =>
        as === 'created' ? withAttributes(resource, { events: [...new Set(events.map(groupOf))] }) : resource,
      ),
  },
  'refuses-an-event': {
    summary: 'Has a list of events of its own, and refuses the one that is missing there.',
    breaks: ['WHK-7', 'DLV-6'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const problems = policies.schemaProblems(operation, body);
        const events = member(body, 'data', 'attributes', 'events');
        if (!Array.isArray(events) || !events.includes('container.pickup_lfd_rail.changed')) return problems;
        const pointer = '/data/attributes/events';
        return [...problems, { status: 422, rule: 'enum', pointer, detail: `${pointer} holds an unknown event.` }];
      },
    }),
  },
  'knows-an-event-less': {
    summary: 'Has a list of events of its own, and one is missing there.',
    breaks: ['WHK-7', 'DLV-6'],
    change: (policies) => ({
      ...policies,
      attributesOf: (...parts) => {
        const attributes = policies.attributesOf(...parts);
        return {
          ...attributes,
          events: attributes.events.filter((event) => event !== 'container.pickup_lfd_rail.changed'),
        };
      },
    }),
  },
  'gives-all-webhooks-one-secret': {
    summary: 'Has one secret for the whole account.',
    breaks: ['WHK-8'],
    change: (policies) => ({ ...policies, newSecret: () => '3f1c5f2f8f0b4d6c9a7e' }),
  },
  'derives-the-secret-from-the-url': {
    summary: 'Makes the secret of a webhook by hashing its url.',
    breaks: ['WHK-8'],
    change: (policies) => ({
      ...policies,
      newSecret: (body) =>
        createHash('sha256')
          .update(String(member(body, 'data', 'attributes', 'url')))
          .digest('hex'),
    }),
  },
  'counts-its-secrets': {
    summary: 'Gives out secrets that can be guessed, one after the other.',
    breaks: ['WHK-8'],
    change: (policies) => {
      let last = 4711;
      return { ...policies, newSecret: () => `whsec-${(last += 1)}` };
    },
  },
  'takes-the-secret-from-the-client': {
    summary: 'Stores the secret that a client sends.',
    breaks: ['WHK-8'],
    change: (policies) => ({
      ...policies,
      newSecret: (body) => textIn(member(body, 'data', 'attributes', 'secret')) ?? policies.newSecret(body),
    }),
  },
  'shows-times-of-webhooks-as-numbers': {
    summary: 'Shows when a webhook was created in seconds since 1970.',
    breaks: ['WHK-12'],
    change: (policies) =>
      showing(policies, (resource, { createdAt }) =>
        withAttributes(resource, { created_at: Math.floor(createdAt / 1000) }),
      ),
  },
  'makes-up-a-custom-header': {
    summary: 'Gives a webhook without custom headers one of its own.',
    breaks: ['WHK-13'],
    change: (policies) =>
      showing(policies, (resource, { headers }) =>
        withAttributes(resource, { headers: headers ?? [{ name: 'X-Account', value: 'default' }] }),
      ),
  },
  'answers-200-to-a-creation': {
    summary: 'Answers a creation with 200.',
    breaks: ['CRW-1'],
    change: (policies) => ({
      ...policies,
      creationReply: (...parts) => ({ ...policies.creationReply(...parts), status: 200 }),
    }),
  },
  'makes-secrets-of-the-time': {
    summary: 'Makes a secret of the second in which the webhook was created, and hashes that.',
    breaks: ['WHK-8', 'WHK-9', 'SIG-2'],
    change: (policies) => ({
      ...policies,
      newSecret: () =>
        createHash('sha256')
          .update(String(Math.floor(Date.now() / 1000)))
          .digest('hex'),
    }),
  },
  'answers-200-to-plain-json': {
    summary: 'Answers a creation from plain JSON with 200: that came later, by code of its own.',
    breaks: ['CRW-1'],
    change: (policies) => ({
      ...policies,
      creationReply: (...parts) => {
        const reply = policies.creationReply(...parts);
        return parts[2].startsWith('application/json') ? { ...reply, status: 200 } : reply;
      },
    }),
  },
  'shows-no-secret-to-plain-json': {
    summary: 'Leaves the secret out of the answer to a creation from plain JSON.',
    breaks: ['CRW-1', 'WHK-8'],
    change: (policies) => ({
      ...policies,
      creationReply: (resource, prefersXml, contentType) => {
        const { secret: _, ...attributes } = resource.attributes;
        const isPlain = contentType.startsWith('application/json');
        return policies.creationReply(isPlain ? { ...resource, attributes } : resource, prefersXml, contentType);
      },
    }),
  },
  'answers-a-creation-as-json-api': {
    summary: 'Answers a creation with the media type of its resources.',
    breaks: ['SVC-5'],
    change: (policies) => ({
      ...policies,
      creationReply: (resource, prefersXml, contentType) => {
        const reply = policies.creationReply(resource, prefersXml, contentType);
        return prefersXml ? reply : { ...reply, headers: { 'content-type': 'application/vnd.api+json' } };
      },
    }),
  },
  'writes-xml-without-escaping': {
    summary: 'Puts XML together from texts, and leaves the end of an element out.',
    breaks: ['SVC-8'],
    change: (policies) => ({
      ...policies,
      creationReply: (resource, prefersXml, contentType) => {
        const reply = policies.creationReply(resource, prefersXml, contentType);
        return prefersXml ? { ...reply, body: reply.body!.replace('</events>', '') } : reply;
      },
    }),
  },
  'writes-no-events-into-the-xml': {
    summary: 'Leaves the events out of the XML.',
    breaks: ['SVC-8'],
    change: (policies) => ({
      ...policies,
      creationReply: (resource, prefersXml, contentType) =>
        policies.creationReply(
          prefersXml ? withAttributes(resource, { events: [] }) : resource,
          prefersXml,
          contentType,
        ),
    }),
  },
  'stores-255-characters-of-a-url': {
    summary: 'Keeps the url in a column of 255 characters, which cuts off what is longer.',
    breaks: ['WHK-4', 'SVC-2'],
    change: (policies) => ({
      ...policies,
      attributesOf: (body, catalogue) => {
        const attributes = policies.attributesOf(body, catalogue);
        return { ...attributes, url: attributes.url.slice(0, 255) };
      },
    }),
  },
  'takes-twenty-events-at-most': {
    summary: 'Refuses a webhook for more than twenty events, of which the contract knows nothing.',
    breaks: ['WHK-7'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const problems = policies.schemaProblems(operation, body);
        const events = member(body, 'data', 'attributes', 'events');
        if (!Array.isArray(events) || events.length <= 20) return problems;
        return [
          ...problems,
          { status: 422, rule: 'maxItems', pointer: '/data/attributes/events', detail: 'at most 20' },
        ];
      },
    }),
  },
  'stores-a-url-without-its-last-slash': {
    summary: 'Cuts off the slash at the end of a url, as of a base address.',
    breaks: ['WHK-4', 'SVC-2'],
    change: (policies) => ({
      ...policies,
      attributesOf: (body, catalogue) => {
        const attributes = policies.attributesOf(body, catalogue);
        return { ...attributes, url: attributes.url.replace(/\/$/, '') };
      },
    }),
  },
  'lists-ten-events-of-a-webhook': {
    summary: 'Joins ten rows of events to each webhook that it lists.',
    breaks: ['WHK-7'],
    change: (policies) =>
      showing(policies, (resource, { events }, as) =>
        as === 'listed' ? withAttributes(resource, { events: events.slice(0, 10) }) : resource,
      ),
  },
  'types-listed-webhooks-in-the-plural': {
    summary: 'Writes the name of its table into the type of each webhook that it lists.',
    breaks: ['WHK-3'],
    change: (policies) =>
      showing(policies, (resource, _webhook, as) => (as === 'listed' ? { ...resource, type: 'webhooks' } : resource)),
  },
  'shows-a-url-without-its-fragment': {
    summary: 'Cuts the fragment off the url that it shows, as it does when it sends.',
    breaks: ['WHK-4'],
    change: (policies) =>
      showing(policies, (resource, { url }) => withAttributes(resource, { url: url.replace(/#.*/, '') })),
  },
};

function groupOf(event: string): string {
  return `${event.split('.')[0]}.*`;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
