import type { ServicePolicies } from '../../service/policies.ts';
import { member } from '../../service/reply.ts';
import type { CustomHeader, Problem } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** Overlooks some of what the schema says against the body of a creation. */
function overlooking(policies: ServicePolicies, isOverlooked: (problem: Problem) => boolean): ServicePolicies {
  return {
    ...policies,
    schemaProblems: (operation, body) => {
      const problems = policies.schemaProblems(operation, body);
      return operation.operationId === 'createWebhook'
        ? problems.filter((problem) => !isOverlooked(problem))
        : problems;
    },
  };
}

/** What should be refused is created, or the other way round (CRW-2 to CRW-7). */
export const creationFaults: ServiceFaults = {
  'needs-no-type': {
    summary: 'Creates a webhook from a resource without a type.',
    breaks: ['CRW-2'],
    change: (policies) => overlooking(policies, ({ pointer }) => pointer === '/data/type'),
  },
  'creates-what-it-refuses': {
    summary: 'Stores a webhook, then validates it, and forgets to take it back.',
    breaks: ['CRW-2', 'CRW-4', 'CRW-5', 'CRW-6', 'CRW-7'],
    change: (policies) => ({
      ...policies,
      afterRefusal: async (operationId, body, create) => {
        const url = member(body, 'data', 'attributes', 'url');
        if (operationId !== 'createWebhook' || typeof url !== 'string') return;
        await create({ data: { attributes: { url, active: false } } });
      },
    }),
  },
  'needs-events': {
    summary: 'Refuses a webhook that names no events.',
    breaks: ['CRW-3'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const problems = policies.schemaProblems(operation, body);
        if (operation.operationId !== 'createWebhook' || member(body, 'data', 'attributes', 'events') !== undefined)
          return problems;
        const pointer = '/data/attributes/events';
        return [...problems, { status: 422, rule: 'required', pointer, detail: `${pointer} is missing.` }];
      },
    }),
  },
  'takes-an-empty-list-of-events': {
    summary: 'Takes an empty list of events for all of them.',
    breaks: ['CRW-4'],
    change: (policies) => ({
      ...overlooking(policies, ({ rule }) => rule === 'minItems'),
      attributesOf: (body, catalogue) => {
        const attributes = policies.attributesOf(body, catalogue);
        return attributes.events.length === 0 ? { ...attributes, events: catalogue } : attributes;
      },
    }),
  },
  'looks-events-up-in-an-object': {
    summary: 'Asks whether a name is in an object of the events, in which every object has a constructor.',
    breaks: ['CRW-4'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const events = member(body, 'data', 'attributes', 'events');
        const known = Array.isArray(events) && events.filter((name) => !(String(name) in {}));
        const problems = policies.schemaProblems(operation, body);
        if (operation.operationId !== 'createWebhook' || !Array.isArray(known)) return problems;
        return known.length === (events as unknown[]).length
          ? problems
          : problems.filter(({ rule }) => rule !== 'enum');
      },
    }),
  },
  'takes-an-event-twice': {
    summary: 'Tidies up a list of events that names one twice.',
    breaks: ['CRW-4'],
    change: (policies) => ({
      ...overlooking(policies, ({ rule }) => rule === 'uniqueItems'),
      attributesOf: (...parts) => {
        const attributes = policies.attributesOf(...parts);
        return { ...attributes, events: [...new Set(attributes.events)] };
      },
    }),
  },
  'looks-for-a-repeated-event-next-to-it': {
    summary: 'Compares each event with the one before it.',
    breaks: ['CRW-4'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const events = member(body, 'data', 'attributes', 'events');
        const isTaken = Array.isArray(events) && events.every((event, place) => event !== events[place - 1]);
        const problems = policies.schemaProblems(operation, body);
        return isTaken ? problems.filter(({ rule }) => rule !== 'uniqueItems') : problems;
      },
    }),
  },
  'takes-unknown-events': {
    summary: 'Drops the events that it does not know, and creates the webhook.',
    breaks: ['CRW-4', 'ROB-2'],
    change: (policies) => ({
      ...overlooking(policies, ({ rule }) => rule === 'enum'),
      attributesOf: (body, catalogue) => {
        const attributes = policies.attributesOf(body, catalogue);
        return { ...attributes, events: attributes.events.filter((event) => catalogue.includes(event)) };
      },
    }),
  },
  'reads-active-from-a-text': {
    summary: 'Takes "true" for true, and anything else that is no boolean for false.',
    breaks: ['CRW-5'],
    change: (policies) => ({
      ...overlooking(policies, ({ rule, pointer }) => rule === 'type' && pointer.endsWith('/active')),
      attributesOf: (...parts) => {
        const attributes = policies.attributesOf(...parts);
        return { ...attributes, active: [true, 'true'].includes(attributes.active) };
      },
    }),
  },
  'takes-headers-as-a-map': {
    summary: 'Takes custom headers that are a map of names to values, as its HTTP client does.',
    breaks: ['CRW-5'],
    change: (policies) => ({
      ...overlooking(policies, ({ rule, pointer }) => rule === 'type' && pointer.endsWith('/headers')),
      attributesOf: (body, catalogue) => {
        const headers = member(body, 'data', 'attributes', 'headers');
        if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
          return policies.attributesOf(body, catalogue);
        const pairs = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
        return { ...policies.attributesOf(withoutHeaders(body), catalogue), headers: pairs };
      },
    }),
  },
  'fails-on-headers-that-are-null': {
    summary: 'Goes through the custom headers where the member is there, also where it is null.',
    breaks: ['ROB-2'],
    change: (policies) => ({
      ...policies,
      attributesOf: (body, catalogue) => {
        if (member(body, 'data', 'attributes', 'headers') === null) throw new TypeError('headers is not iterable');
        return policies.attributesOf(body, catalogue);
      },
    }),
  },
  'takes-a-header-without-a-value': {
    summary: 'Takes a custom header that has a name alone, and sends it empty.',
    breaks: ['CRW-5'],
    change: (policies) => ({
      ...overlooking(policies, ({ rule, pointer }) => rule === 'required' && /\/headers\/\d+\/value$/.test(pointer)),
      headerProblems: (header, pointer) => policies.headerProblems(withValue(header), pointer),
      attributesOf: (...parts) => {
        const { headers, ...attributes } = policies.attributesOf(...parts);
        return { ...attributes, headers: headers?.map(withValue) ?? null };
      },
    }),
  },
  'looks-at-the-first-header-only': {
    summary: 'Validates the first of the custom headers, and drops others that it cannot send.',
    breaks: ['CRW-5'],
    change: (policies) => ({
      ...overlooking(policies, ({ pointer }) => /\/headers\/[1-9]\d*\//.test(pointer)),
      headerProblems: (header, pointer) => policies.headerProblems(withValue(header), pointer),
      attributesOf: (...parts) => {
        const { headers, ...attributes } = policies.attributesOf(...parts);
        return { ...attributes, headers: headers?.filter(({ value }) => typeof value === 'string') ?? null };
      },
    }),
  },
  'takes-any-url': {
    summary: 'Stores whatever text it is given as a url, and finds out when it sends.',
    breaks: ['CRW-5', 'CRW-6'],
    change: (policies) => ({
      ...overlooking(
        policies,
        ({ rule, pointer }) => rule !== 'type' && pointer.endsWith('/url') && rule !== 'required',
      ),
      urlProblems: () => [],
    }),
  },
  'takes-plain-http': {
    summary: 'Takes http to any host.',
    breaks: ['CRW-6'],
    change: (policies) => ({
      ...policies,
      urlProblems: (...parts) => policies.urlProblems(...parts).filter(({ rule }) => rule !== 'https'),
    }),
  },
  'takes-http-to-what-begins-like-this-machine': {
    summary: 'Takes http to localhost, and to every host whose name begins with 127.0.0.1, whatever follows.',
    breaks: ['CRW-6'],
    change: (policies) => ({
      ...policies,
      urlProblems: (url, pointer) =>
        /^http:\/\/(localhost[:/]|127\.0\.0\.1)/i.test(url) ? [] : policies.urlProblems(url, pointer),
    }),
  },
  'compares-the-scheme-by-its-case': {
    summary: 'Refuses urls that begin with http: in lower case, and takes HTTP: for something else.',
    breaks: ['CRW-6'],
    change: (policies) => ({
      ...policies,
      urlProblems: (url, pointer) => (url.startsWith('HTTP:') ? [] : policies.urlProblems(url, pointer)),
    }),
  },
  'needs-no-active': {
    summary: 'Creates an active webhook where the client does not say whether it is.',
    breaks: ['CRW-7'],
    change: (policies) =>
      overlooking(policies, ({ pointer, rule }) => rule === 'required' && pointer.endsWith('/active')),
  },
  'takes-one-event-as-a-text': {
    summary: 'Makes a list of one event that stands there as a text.',
    breaks: ['CRW-5'],
    change: (policies) =>
      readingMember(policies, 'events', (events) => (typeof events === 'string' ? [events] : events)),
  },
  'flattens-lists-of-events': {
    summary: 'Makes one list of what is given as events, however deep it lies.',
    breaks: ['CRW-5'],
    change: (policies) =>
      readingMember(policies, 'events', (events) => (Array.isArray(events) ? events.flat(5) : events)),
  },
  'folds-the-letters-of-events': {
    summary: 'Brings the names of events into their usual letters before it looks them up.',
    breaks: ['CRW-4'],
    change: (policies) =>
      readingMember(policies, 'events', (events) => (Array.isArray(events) ? events.map(folded) : events)),
  },
  'takes-one-and-nought-for-active': {
    summary: 'Asks whether active equals true or false, which 1 and 0 do in its language.',
    breaks: ['CRW-5', 'WHK-5'],
    change: (policies) =>
      readingMember(policies, 'active', (active) => (active === 1 || active === 0 ? active === 1 : active)),
  },
  'takes-nothing-for-active': {
    summary: 'Takes active that is null for the default.',
    breaks: ['CRW-5'],
    change: (policies) => readingMember(policies, 'active', (active) => active ?? true),
  },
  'takes-a-list-of-one-for-what-it-holds': {
    summary: 'Reads a resource that stands alone in a list as the resource, as its library does.',
    breaks: ['CRW-5'],
    change: (policies) =>
      readingBody(policies, (body) => {
        const data = member(body, 'data');
        return Array.isArray(data) && data.length === 1 ? { data: data[0] as unknown } : body;
      }),
  },
};

/** The same creation without custom headers. */
function withoutHeaders(body: unknown): unknown {
  const { data } = body as { data: { attributes: object } };
  return { data: { ...data, attributes: { ...data.attributes, headers: null } } };
}

/** A header that may have come without a value. */
function withValue({ name, value }: Partial<CustomHeader>): CustomHeader {
  return { name: name ?? '', value: typeof value === 'string' ? value : '' };
}

/** Policies that read a member of a creation as something else than it is. */
export function readingMember(
  policies: ServicePolicies,
  name: 'events' | 'active',
  read: (value: unknown) => unknown,
): ServicePolicies {
  const readIn = (body: unknown): unknown => {
    const value = member(body, 'data', 'attributes', name);
    if (value === undefined) return body;
    const { data } = body as { data: { attributes: object } };
    return { data: { ...data, attributes: { ...data.attributes, [name]: read(value) } } };
  };
  return readingBody(policies, readIn);
}

/** Policies that read the body of a creation as something else than it is. */
function readingBody(policies: ServicePolicies, readIn: (body: unknown) => unknown): ServicePolicies {
  return {
    ...policies,
    schemaProblems: (operation, body) => policies.schemaProblems(operation, readIn(body)),
    attributesOf: (body, catalogue) => policies.attributesOf(readIn(body), catalogue),
  };
}

function folded(event: unknown): unknown {
  return typeof event === 'string' ? event.normalize('NFKC').replace(/\u200b/g, '') : event;
}
