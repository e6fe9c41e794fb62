import { member } from '../../service/reply.ts';
import type { Problem } from '../../service/records.ts';
import { catalogue } from '../catalogue.ts';
import { rewritten, type ServiceFaults } from './fault.ts';

/** The trigger endpoint does something else (TRG-1 to TRG-6). */
export const sampleFaults: ServiceFaults = {
  'sends-the-same-sample-for-every-event': {
    summary: 'Has one sample, and sends it whatever was asked for.',
    breaks: ['TRG-1'],
    change: (policies) => ({ ...policies, sampleEvent: () => 'container.created' }),
  },
  'sends-no-samples-of-transport-events': {
    summary: 'Has no samples of what happens on the way, and says that they were sent.',
    breaks: ['TRG-1'],
    change: (policies) => ({
      ...policies,
      sampleRecipients: (order, webhooks) =>
        order.event.startsWith('container.transport') ? [] : policies.sampleRecipients(order, webhooks),
    }),
  },
  'brings-an-object-along-with-a-sample': {
    summary: 'Writes an object where a sample brings no related resources along.',
    breaks: ['TRG-1'],
    change: (policies) => ({
      ...policies,
      sampleBody: (...parts) => rewritten(policies.sampleBody(...parts), (body) => ({ ...body, included: {} })),
    }),
  },
  'signs-no-sample': {
    summary: 'Ignores the secret that comes with the order of a sample.',
    breaks: ['TRG-2'],
    change: (policies) => ({ ...policies, sampleSignature: () => undefined }),
  },
  'signs-no-sample-of-a-document': {
    summary: 'Makes the samples of documents by code of their own, which knows of no secret.',
    breaks: ['TRG-2'],
    change: (policies) => ({
      ...policies,
      sampleSignature: (order, body, sign) =>
        order.event.startsWith('document.') ? undefined : policies.sampleSignature(order, body, sign),
    }),
  },
  'signs-a-sample-as-the-webhook-of-its-url': {
    summary: 'Signs a sample with the secret of a webhook that has the same url, where there is one.',
    breaks: ['TRG-2'],
    change: (policies) => {
      const secrets = new Map<string, string>();
      return {
        ...policies,
        webhookResource: (webhook, ...how) => {
          secrets.set(webhook.url, webhook.secret);
          return policies.webhookResource(webhook, ...how);
        },
        sampleSignature: (order, body, sign) => {
          const secret = order.secret && (secrets.get(order.url) ?? order.secret);
          return policies.sampleSignature({ ...order, ...(secret !== undefined && { secret }) }, body, sign);
        },
      };
    },
  },
  'trims-the-secret-of-a-sample': {
    summary: 'Strips the white space from every text of an order, the secret included.',
    breaks: ['TRG-2'],
    change: (policies) => ({
      ...policies,
      sampleSignature: (order, body, sign) => {
        const secret = order.secret?.trim();
        return policies.sampleSignature({ ...order, ...(secret !== undefined && { secret }) }, body, sign);
      },
    }),
  },
  'samples-unknown-events': {
    summary: 'Sends some sample where it does not know the event.',
    breaks: ['TRG-3'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) =>
        policies
          .schemaProblems(operation, body)
          .filter(({ rule }) => !(operation.operationId === 'triggerWebhook' && rule === 'enum')),
      sampleEvent: (order) => (catalogue.has(order.event) ? policies.sampleEvent(order) : 'container.created'),
    }),
  },
  'sends-samples-to-a-registered-webhook': {
    summary: 'Sends a sample to the newest webhook that subscribes to its event alone as well.',
    breaks: ['TRG-4', 'SIG-1', 'SIG-2', 'WHK-9', 'WHK-10'],
    change: (policies) => ({
      ...policies,
      sampleRecipients: (order, webhooks) => {
        const newest = webhooks.findLast(({ active, events }) => active && String(events) === order.event);
        return [...policies.sampleRecipients(order, webhooks), ...(newest === undefined ? [] : [newest.url])];
      },
    }),
  },
  'wants-a-wrapper-around-an-order': {
    summary: 'Takes orders of samples below data only.',
    breaks: ['TRG-5', 'TRG-1'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        if (operation.operationId !== 'triggerWebhook') return policies.schemaProblems(operation, body);
        const inner = member(body, 'data');
        return inner === undefined ? [missingData] : policies.schemaProblems(operation, inner);
      },
      sampleOrder: (body) => policies.sampleOrder(member(body, 'data')),
    }),
  },
  'lists-samples': {
    summary: 'Keeps a sample as a notification of a webhook.',
    breaks: ['TRG-6'],
    change: (policies) => {
      let kept: string | undefined;
      return { ...policies, keepsSample: (_order, { id }) => (kept ??= id) === id && 'as-done' };
    },
  },
  'signs-samples-unasked': {
    summary: 'Signs a sample with an empty secret where none was given.',
    breaks: ['TRG-6'],
    change: (policies) => ({
      ...policies,
      sampleSignature: (order, body, sign) => policies.sampleSignature(order, body, sign) ?? sign(body, ''),
    }),
  },
  'drops-the-query-of-a-sample': {
    summary: 'Sends a sample to the path of the url, without the query that follows it.',
    breaks: ['TRG-1'],
    change: (policies) => ({
      ...policies,
      sampleRecipients: (order, webhooks) =>
        policies.sampleRecipients(order, webhooks).map((url) => url.replace(/\?.*$/, '')),
    }),
  },
  'signs-a-sample-with-the-secret-as-it-stood-in-the-call': {
    summary: 'Cuts the secret out of the text of the call, and leaves its escapes as they are.',
    breaks: ['TRG-2'],
    change: (policies) => ({
      ...policies,
      sampleSignature: (order, body, sign) =>
        policies.sampleSignature(order, body, (bytes, secret) => sign(bytes, JSON.stringify(secret).slice(1, -1))),
    }),
  },
  'composes-the-secret-of-a-sample': {
    summary: 'Writes every text of an order with its characters composed (NFC), the secret included.',
    breaks: ['TRG-2'],
    change: (policies) => ({
      ...policies,
      sampleSignature: (order, body, sign) =>
        policies.sampleSignature(order, body, (bytes, secret) => sign(bytes, secret.normalize('NFC'))),
    }),
  },
  'sends-each-sample-twice': {
    summary: 'Hands an order to two workers.',
    breaks: ['TRG-1'],
    change: (policies) => ({
      ...policies,
      sampleRecipients: (order, webhooks) => {
        const urls = policies.sampleRecipients(order, webhooks);
        return [...urls, ...urls];
      },
    }),
  },
  'names-its-samples': {
    summary: 'Writes a word in the place of the id of a sample, since there is no notification behind it.',
    breaks: ['TRG-1'],
    change: (policies) => ({
      ...policies,
      sampleBody: (head, ...rest) => policies.sampleBody({ ...head, id: 'sample' }, ...rest),
    }),
  },
  'raises-the-event-of-a-sample': {
    summary: 'Raises the event of a sample, so that registered webhooks are notified of it as well.',
    breaks: ['TRG-4', 'TRG-6', 'DLV-6'],
    change: (policies) => ({
      ...policies,
      keepsSample: ({ event }, { active, events }) => active && events.includes(event) && 'to-deliver',
    }),
  },
  'lists-samples-with-a-secret': {
    summary: 'Keeps a sample as a notification where it has a secret, since only what is kept is signed.',
    breaks: ['TRG-6'],
    change: (policies) => {
      let kept: string | undefined;
      return {
        ...policies,
        keepsSample: ({ secret }, { id }) => secret !== undefined && (kept ??= id) === id && 'as-done',
      };
    },
  },
  'takes-any-event-beside-a-secret': {
    summary: 'Looks at the event of a call for a sample only where it is not to be signed.',
    breaks: ['TRG-3'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) =>
        operation.operationId === 'triggerWebhook' && member(body, 'secret') !== undefined
          ? []
          : policies.schemaProblems(operation, body),
    }),
  },
  'turns-off-the-webhook-of-a-sample': {
    summary: 'Finds the webhook of the url that a sample goes to, and turns it off where the sample is refused.',
    breaks: ['TRG-4'],
    change: (policies) => {
      const sampled = new Set<string>();
      return {
        ...policies,
        sampleRecipients: (order, webhooks) => {
          sampled.add(order.url);
          return policies.sampleRecipients(order, webhooks);
        },
        webhookResource: (webhook, ...rest) =>
          policies.webhookResource(sampled.has(webhook.url) ? { ...webhook, active: false } : webhook, ...rest),
      };
    },
  },
  'lists-samples-that-go-to-the-url-of-a-webhook': {
    summary: 'Finds the webhook of a sample by its url, and keeps the sample among the notifications of that one.',
    breaks: ['TRG-6'],
    change: (policies) => ({ ...policies, keepsSample: ({ url }, webhook) => webhook.url === url && 'as-done' }),
  },
  'folds-the-event-of-a-sample': {
    summary:
      'Strips the white space around the event of a sample, and writes it in small letters, before it looks for it.',
    breaks: ['TRG-3'],
    change: (policies) => {
      const fold = (event: string): string => event.trim().toLowerCase();
      return {
        ...policies,
        schemaProblems: (operation, body) => {
          const event = operation.operationId === 'triggerWebhook' ? member(body, 'event') : undefined;
          if (typeof event !== 'string' || !catalogue.has(fold(event))) return policies.schemaProblems(operation, body);
          return policies.schemaProblems(operation, { ...(body as object), event: fold(event) });
        },
        sampleEvent: (order) => policies.sampleEvent({ ...order, event: fold(order.event) }),
      };
    },
  },
  'signs-no-retry-of-a-sample': {
    summary: 'Sends a sample that is refused once more, and finds no webhook whose secret would sign that.',
    breaks: ['TRG-2'],
    change: (policies) => ({
      ...policies,
      sampleRetry: (outcome, { url, event, secret }) =>
        secret !== undefined && outcome.kind === 'answered' && outcome.status >= 400 ? { url, event } : undefined,
    }),
  },
};

const missingData: Problem = { status: 422, rule: 'required', pointer: '/data', detail: '/data is missing.' };
