import { member } from '../../service/reply.ts';
import { readingMember } from './creations.ts';
import type { ServiceFaults } from './fault.ts';

/** Creations that are taken for what they do not say, or shown so (CRW-4, CRW-5, ROB-2, SVC-4, SVC-8, WHK-5). */
export const misreadFaults: ServiceFaults = {
  'takes-an-asterisk-for-all-events': {
    summary: 'Subscribes a webhook to all events where its list holds nothing but an asterisk.',
    breaks: ['CRW-4'],
    change: (policies) => {
      const isAll = (events: unknown): boolean => Array.isArray(events) && events.length === 1 && events[0] === '*';
      const reading = readingMember(policies, 'events', (events) => (isAll(events) ? [anyEvent] : events));
      return {
        ...reading,
        attributesOf: (body, catalogue) => {
          const attributes = reading.attributesOf(body, catalogue);
          return isAll(member(body, 'data', 'attributes', 'events'))
            ? { ...attributes, events: catalogue }
            : attributes;
        },
      };
    },
  },
  'shows-no-headers-to-plain-json': {
    summary: 'Leaves custom headers out of the answer to a creation from plain JSON, which an older serialiser writes.',
    breaks: ['SVC-4'],
    change: (policies) => ({
      ...policies,
      creationReply: (resource, prefersXml, contentType) =>
        policies.creationReply(
          contentType.startsWith('application/json')
            ? { ...resource, attributes: { ...resource.attributes, headers: null } }
            : resource,
          prefersXml,
          contentType,
        ),
    }),
  },
  'leaves-nothings-out-of-events': {
    summary: 'Leaves null out of a list of events before it looks at the rest.',
    breaks: ['CRW-5', 'CRW-4'],
    change: (policies) =>
      readingMember(policies, 'events', (events) =>
        Array.isArray(events) ? events.filter((event) => event !== null) : events,
      ),
  },
  'matches-events-up-to-a-line-break': {
    summary: 'Looks for events with a pattern whose end ($) also stands before a line break.',
    breaks: ['CRW-4'],
    change: (policies) =>
      readingMember(policies, 'events', (events) =>
        Array.isArray(events)
          ? events.map((event) => (typeof event === 'string' ? event.replace(/\n$/, '') : event))
          : events,
      ),
  },
  'takes-an-inactive-webhook-for-incomplete': {
    summary:
      'Looks for what is missing with a test that false does not pass either, and so refuses a webhook that is inactive.',
    breaks: ['WHK-5'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const problems = policies.schemaProblems(operation, body);
        const pointer = '/data/attributes/active';
        return operation.operationId === 'createWebhook' && member(body, 'data', 'attributes', 'active') === false
          ? [...problems, { status: 422, rule: 'required', pointer, detail: `${pointer} is missing.` }]
          : problems;
      },
    }),
  },
  'compares-events-loosely': {
    summary: 'Looks events up with a comparison that turns types into each other: true is equal to any name.',
    breaks: ['CRW-5', 'CRW-4'],
    change: (policies) =>
      readingMember(policies, 'events', (events) =>
        Array.isArray(events) ? events.filter((event) => event !== true) : events,
      ),
  },
  'writes-texts-into-the-xml-as-they-are': {
    summary: 'Puts the XML together from texts, and escapes none of them.',
    breaks: ['SVC-8'],
    change: (policies) => ({
      ...policies,
      creationReply: (resource, prefersXml, contentType) => {
        const reply = policies.creationReply(resource, prefersXml, contentType);
        return prefersXml ? { ...reply, body: (reply.body ?? '').replaceAll('&amp;', '&') } : reply;
      },
    }),
  },
  'takes-nothing-for-all-events': {
    summary: 'Takes events that are null for events that were left out.',
    breaks: ['CRW-5'],
    change: (policies) => readingMember(policies, 'events', (events) => events ?? undefined),
  },
  'cannot-write-what-it-refuses': {
    summary: 'Shows events that it refuses in its answer, and fails where they cannot be written as UTF-8 or as JSON.',
    breaks: ['ROB-2'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const problems = policies.schemaProblems(operation, body);
        const events = [member(body, 'data', 'attributes', 'events')].flat();
        if (problems.length > 0 && events.some(isUnwritable)) throw new TypeError('what is refused cannot be written');
        return problems;
      },
    }),
  },
  'matches-headers-up-to-a-line-break': {
    summary:
      'Looks at custom headers with patterns whose end ($) also stands before a line break, which ends the head of a request: ' +
      'the signature behind it is not read as a header.',
    breaks: ['SIG-2'],
    change: (policies) => ({
      ...policies,
      headerProblems: ({ name, value }, pointer) =>
        policies.headerProblems({ name: name.replace(/\n$/, ''), value: value.replace(/\n$/, '') }, pointer),
      requestHeaders: ({ signature, custom }) =>
        policies.requestHeaders({
          custom,
          signature: custom.some(({ name, value }) => `${name}:${value}`.includes('\n')) ? undefined : signature,
        }),
    }),
  },
  'cannot-log-more-than-a-mebibyte': {
    summary: 'Logs the body of each call that it has read in a column of a mebibyte, and fails where one is longer.',
    breaks: ['ROB-2'],
    change: (policies) => ({
      ...policies,
      bodyLimit: 16 * mebibyte,
      parse: (body, operation) => {
        const value = policies.parse(body, operation);
        if (body.length > mebibyte) throw new RangeError('the value is too long for the column');
        return value;
      },
    }),
  },
};

const mebibyte = 1024 * 1024;

function isUnwritable(value: unknown): boolean {
  return typeof value === 'string' ? !value.isWellFormed() : value === Infinity;
}

/** One that the schema takes. */
const anyEvent = 'container.created';
