import { refusal } from '../../service/reply.ts';
import { listing, type ServiceFaults } from './fault.ts';

/** How the API is called and what it lists (API-1, API-2, SVC-3 to SVC-7, LST-1 to LST-5, ROB-2, VER-1). */
export const apiFaults: ServiceFaults = {
  'leaves-one-endpoint-open': {
    summary: 'Asks for no key where containers are listed.',
    breaks: ['API-1', 'API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) => caller.operationId === 'listContainers' || policies.isAuthorized(caller),
    }),
  },
  'takes-calls-without-a-key': {
    summary: 'Checks the key only where one is sent.',
    breaks: ['API-1'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) => caller.authorization === undefined || policies.isAuthorized(caller),
    }),
  },
  'asks-no-key-for-a-page': {
    summary: 'Compares whole addresses with those that need a key, queries included.',
    breaks: ['API-1', 'API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) => caller.query !== '' || policies.isAuthorized(caller),
    }),
  },
  'takes-any-scheme': {
    summary: 'Looks for the key after the first space, whatever stands before it.',
    breaks: ['API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) =>
        policies.isAuthorized({ ...caller, authorization: caller.authorization?.replace(/^\S+ /, 'Token ') }),
    }),
  },
  'compares-the-beginning-of-the-key': {
    summary: 'Compares as many characters of the key as it was given.',
    breaks: ['API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: ({ authorization = '', token }) => {
        const key = /^token (\S+)$/i.exec(authorization)?.[1] ?? '';
        return key !== '' && token.startsWith(key);
      },
    }),
  },
  'compares-the-end-of-the-key': {
    summary: 'Compares as many characters as the key has, from the end of the header on.',
    breaks: ['API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: ({ authorization = '', token }) => /^token /i.test(authorization) && authorization.endsWith(token),
    }),
  },
  'takes-an-end-of-the-key': {
    summary: 'Looks for what it was given at the end of the key.',
    breaks: ['API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: ({ authorization = '', token }) => {
        const key = /^token (\S+)$/i.exec(authorization)?.[1] ?? '';
        return key !== '' && token.endsWith(key);
      },
    }),
  },
  'takes-no-json-api-for-webhooks': {
    summary: 'Takes updates of webhooks as plain JSON only.',
    breaks: ['SVC-3'],
    change: (policies) => ({
      ...policies,
      takesMediaType: (operation, mediaType) =>
        operation.operationId === 'updateWebhook'
          ? mediaType === 'application/json'
          : policies.takesMediaType(operation, mediaType),
    }),
  },
  'takes-no-plain-json-for-webhooks': {
    summary: 'Creates webhooks from JSON:API documents only.',
    breaks: ['SVC-4'],
    change: (policies) => ({
      ...policies,
      takesMediaType: (operation, mediaType) =>
        policies.takesMediaType(operation, mediaType) &&
        !(operation.operationId === 'createWebhook' && mediaType === 'application/json'),
    }),
  },
  'takes-json-api-for-samples-only': {
    summary: 'Takes orders of samples as JSON:API documents only.',
    breaks: ['SVC-7', 'TRG-1', 'TRG-2'],
    change: (policies) => ({
      ...policies,
      takesMediaType: (operation, mediaType) =>
        operation.operationId === 'triggerWebhook'
          ? mediaType === 'application/vnd.api+json'
          : policies.takesMediaType(operation, mediaType),
    }),
  },
  'stands-below-another-version': {
    summary: 'Has its paths below /v3.',
    breaks: ['SVC-6'],
    change: (policies) => ({ ...policies, base: '/v3' }),
  },
  'asks-for-a-version-in-a-header': {
    summary: 'Refuses a call whose headers name a version that it does not have.',
    breaks: ['VER-1'],
    change: (policies) => ({
      ...policies,
      headProblems: (headers) => {
        const other = Object.entries(headers).find(([name, value]) => name.endsWith('-version') && value !== '2');
        return other === undefined ? [] : [{ status: 400, rule: 'version', pointer: '', detail: 'Valid is 2.' }];
      },
    }),
  },
  'answers-500-to-malformed-json': {
    summary: 'Fails on a body that is no JSON.',
    breaks: ['ROB-2'],
    change: (policies) => ({ ...policies, parse: (body) => JSON.parse(body.toString()) as unknown }),
  },
  'fails-on-a-range': {
    summary: 'Fails on a header that asks for a part of an answer.',
    breaks: ['ROB-2'],
    change: (policies) => ({
      ...policies,
      headProblems: (headers) => {
        if (headers.range !== undefined) throw new TypeError('this range cannot be read');
        return policies.headProblems(headers);
      },
    }),
  },
  'lists-webhooks-without-active': {
    summary: 'Leaves out of the list whether a webhook is active.',
    breaks: ['LST-1', 'WHK-5', 'ACT-3'],
    change: (policies) => ({
      ...policies,
      webhookResource: (webhook, as, timestamp) => {
        const resource = policies.webhookResource(webhook, as, timestamp);
        if (as !== 'listed') return resource;
        const { active: _, ...attributes } = resource.attributes;
        return { ...resource, attributes };
      },
    }),
  },
  'lists-inactive-webhooks-nowhere': {
    summary: 'Lists the active webhooks only.',
    breaks: ['LST-1', 'WHK-5', 'ACT-3'],
    change: (policies) => listing(policies, 'webhooks', 'attributes LIKE \'%"active":true%\''),
  },
  'pages-overlap': {
    summary: 'Begins each page with the last item of the one before.',
    breaks: ['LST-2', 'LST-1'],
    change: (policies) => ({
      ...policies,
      window: ({ number, size }) => ({ offset: (number - 1) * Math.max(1, size - 1), limit: size }),
    }),
  },
  'lists-the-latest-hundred-notifications': {
    summary: 'Has no more than a hundred notifications in its list, whatever page is asked for.',
    breaks: ['LST-2', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      selection: (list) => {
        const { where, orderBy } = policies.selection(list);
        if (list !== 'webhook_notifications') return { where, orderBy };
        const latest = 'SELECT sequence FROM webhook_notifications ORDER BY sequence DESC LIMIT 100';
        return { where: `(${where}) AND sequence IN (${latest})`, orderBy };
      },
    }),
  },
  'pages-leave-one-out': {
    summary: 'Skips one item between two pages.',
    breaks: ['LST-2', 'LST-1'],
    change: (policies) => ({
      ...policies,
      window: ({ number, size }) => ({ offset: (number - 1) * (size + 1), limit: size }),
    }),
  },
  'links-past-the-next-page': {
    summary: 'Links each page to the one after the next.',
    breaks: ['LST-2', 'LST-1'],
    change: (policies) => ({
      ...policies,
      nextPage: (page, ...counts) => {
        const next = policies.nextPage(page, ...counts);
        return next && { ...next, number: next.number + 1 };
      },
    }),
  },
  'links-to-all-pages-but-the-last': {
    summary: 'Counts thirty items for a page, whatever is asked for, and rounds the number of pages down.',
    breaks: ['LST-2', 'LST-1', 'NTF-9', 'LST-3', 'WHK-5', 'ACT-3'],
    change: (policies) => ({
      ...policies,
      pageSize: { usual: 30, most: 30 },
      nextPage: (page, pages, total) => policies.nextPage(page, pages - 1, total),
    }),
  },
  'lists-no-tracking-requests': {
    summary: 'Offers the list of tracking requests, and never fills it.',
    breaks: ['LST-3'],
    change: (policies) => listing(policies, 'tracking_requests', 'FALSE'),
  },
  'offers-no-list-of-shipments': {
    summary: 'Answers 404 where shipments are listed.',
    breaks: ['LST-4', 'SVC-1', 'SVC-6', 'TRQ-6'],
    change: (policies) => ({
      ...policies,
      window: (page, list) => {
        if (list === 'shipments') throw refusal(404, 'unknown', 'There is no GET /shipments.');
        return policies.window(page, list);
      },
    }),
  },
  'lists-no-shipments': {
    summary: 'Offers the list of shipments, and never fills it.',
    breaks: ['LST-4', 'SVC-1', 'TRQ-6'],
    change: (policies) => listing(policies, 'shipments', 'FALSE'),
  },
  'lists-no-containers': {
    summary: 'Offers the list of containers, and never fills it.',
    breaks: ['LST-5', 'SVC-1', 'TRQ-6'],
    change: (policies) => listing(policies, 'containers', 'FALSE'),
  },
  'asks-no-key-for-further-pages': {
    summary: 'Compares the key when a list is asked for, and not where somebody turns its pages.',
    breaks: ['API-1', 'API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) =>
        Number(new URLSearchParams(caller.query).get('page[number]')) > 1 || policies.isAuthorized(caller),
    }),
  },
  'reads-the-first-word-of-the-key': {
    summary: 'Takes the header apart at its spaces and commas, and leaves what follows the second word.',
    breaks: ['API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) => {
        const [scheme = '', key = ''] = caller.authorization?.split(/[ ,]+/) ?? [];
        return policies.isAuthorized({ ...caller, authorization: `${scheme} ${key}` });
      },
    }),
  },
  'compares-whole-paths-with-those-that-need-a-key': {
    summary:
      'Finds its lists in capitals and with a slash behind their path as well, and knows the plain path only as one that needs a key.',
    breaks: ['API-1'],
    change: (policies) => ({
      ...policies,
      routesLoosely: true,
      isAuthorized: (caller) => /[A-Z]|\/$/.test(caller.path) || policies.isAuthorized(caller),
    }),
  },
  'sends-the-sample-that-it-refuses': {
    summary: 'Looks at the key of an order of a sample when the sample is on its way.',
    breaks: ['API-1', 'API-2'],
    change: (policies) => ({ ...policies, isDoneFirst: (operationId) => operationId === 'triggerWebhook' }),
  },
  'changes-webhooks-and-then-looks-at-the-key': {
    summary: 'Answers 401 to an update or a deletion without a right key, and does what it asks for all the same.',
    breaks: ['API-1', 'API-2'],
    change: (policies) => ({
      ...policies,
      isDoneFirst: (operationId) => operationId === 'updateWebhook' || operationId === 'deleteWebhook',
    }),
  },
  'takes-a-bearer-as-well': {
    summary: 'Takes the key behind Bearer too, as its library does.',
    breaks: ['API-2'],
    change: (policies) => ({
      ...policies,
      isAuthorized: (caller) =>
        policies.isAuthorized({ ...caller, authorization: caller.authorization?.replace(/^Bearer /, 'Token ') }),
    }),
  },
  'fails-once-its-disk-is-full': {
    summary: 'Answers 500 to each creation after the first two.',
    breaks: ['CRW-1', 'ROB-2'],
    change: (policies) => {
      let room = 2;
      return {
        ...policies,
        attributesOf: (body, catalogue) => {
          room -= 1;
          if (room < 0) throw new Error('no space left on device');
          return policies.attributesOf(body, catalogue);
        },
      };
    },
  },
};
