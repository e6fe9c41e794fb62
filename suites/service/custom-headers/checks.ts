import fc from 'fast-check';

import { customHeaderName, customHeaderValue } from '../../../generators/calls/requestBodies.ts';
import { isJsonObject } from '../../../generators/json/json.ts';
import { lazily } from '../../../generators/arbitraries.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { Notified, ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { firstDelivery } from '../firstDelivery.ts';
import { pairs } from '../../items.ts';
import { retriesSeen } from '../redelivery.ts';
import { refuse } from '../steps.ts';
import { judgeSigned } from '../signing.ts';
import { harmless, type CustomHeader, withHeaders } from './harmless.ts';

const lowerCase = lazily(() => fc.stringMatching(/^x-[a-z][a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}$/));
const anyCase = fc.oneof(customHeaderName(), lowerCase);

function headers(name: fc.Arbitrary<string>, most: number, least = 1): fc.Arbitrary<readonly CustomHeader[]> {
  return fc.uniqueArray(fc.record({ name, value: customHeaderValue() }), {
    minLength: least,
    maxLength: most,
    selector: (header) => header.name.toLowerCase(),
  });
}

/** Names under which receivers expect credentials: a service may hide their values wherever it shows a webhook. */
const credentials = headers(fc.constantFrom('Authorization', 'X-Api-Key', 'X-Auth-Token', 'X-Webhook-Secret'), 1);

/** What a sender, its HTTP client or what watches over it sets by itself: one that is taken here is the owner's. */
const setByMany = ['X-Request-Id', 'X-Correlation-Id', 'Traceparent', 'User-Agent'];

/** Tokens are long, and columns are short. */
const long = (length: number) =>
  fc
    .record({ name: anyCase, value: fc.stringMatching(new RegExp(`^[A-Za-z0-9._-]{${length}}$`)) })
    .map((header): readonly CustomHeader[] => [header]);

/** A name is a token (RFC 9110, section 5.6.2), which holds more than letters, digits and hyphens. */
const oddNames = fc
  .tuple(
    headers(
      lazily(() => fc.stringMatching(/^[Xx]_[A-Za-z]{2,8}(_[a-z0-9]{1,8})?$/)),
      1,
    ),
    headers(
      lazily(() => fc.stringMatching(/^[Xx]\.[A-Za-z]{2,8}[.~][a-z0-9]{1,8}$/)),
      1,
    ),
  )
  .map((both) => both.flat());

/** What code between the webhook and the wire takes apart, quotes, folds, decodes or leaves out. */
const oddValues: readonly (readonly string[])[] = [
  // As a number it is written otherwise.
  ['', '0', '007.50', 'null', 'MiXeD', 'a:b', 'a  b', 'Bearer a.b-c_d~e+f/g=='],
  [
    'one, two;q="0.5"',
    '{"tenant": 7}',
    "it's 50% of <all>",
    'https://sea.example:8443/p?q=1&r=%2F#top',
    String.raw`C:\new\table`,
  ],
];

/** Two of one name, which HTTP allows and a map from names to values does not hold. */
const twice = fc
  .tuple(
    anyCase,
    lazily(() => fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{4,12}$/), { minLength: 2, maxLength: 2 })),
  )
  .map(([name, values]): readonly CustomHeader[] => values.map((value) => ({ name, value })));

/** One header for each value, in an order of its own. */
function valued(values: readonly string[]): fc.Arbitrary<readonly CustomHeader[]> {
  const names = fc.uniqueArray(anyCase, {
    minLength: values.length,
    maxLength: values.length,
    selector: (name) => name.toLowerCase(),
  });
  return names.map((all) => pairs(all, values).map(([name, value]) => ({ name, value })));
}

/** Sections 2.1 and 4.4: what was configured goes out. */
const sent = serviceCheck<readonly CustomHeader[]>({
  id: 'service/custom-headers/sent',
  title: 'sends the custom headers of a webhook as they were configured',
  requirements: ['WHK-10', 'DLV-6', 'SIG-1', 'SIG-2', 'WHK-9'],
  about: ['webhook:headers'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.15,
  cases: () => [
    headers(anyCase, 1),
    headers(anyCase, 3),
    headers(anyCase, 8, 6),
    credentials,
    // The longest that a usual column holds, and one that few hold.
    long(255),
    long(1100),
    oddNames,
    headers(fc.constantFrom(...setByMany), setByMany.length, setByMany.length),
    ...oddValues.map(valued),
    twice,
    fc.constant([]),
  ],
  run: async (kit, asked) => {
    const whole = await withHeaders(kit, asked);
    // What is refused need not be sent; that others are taken is shown by the plain ones.
    const configured = whole ? asked : await takenAlone(kit, asked);
    const webhook = whole ?? (configured.length === 0 ? undefined : await withHeaders(kit, configured));
    if (webhook === undefined) throw new Unobservable('the service refuses these custom headers');
    expectAllKept(webhook, configured);
    const other = await kit.register({ events: [kit.scenarioEvents[0]] });
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const notified = await kit.arrival(webhook, triggered);
    if (notified === undefined) return unheard(webhook, triggered, configured);
    const [first] = notified.attempts;
    return (
      missing(kit, first, configured) ??
      judgeSigned(kit, webhook, first) ??
      leaked(kit, { webhook, configured, first }, await kit.arrival(other, triggered))
    );
  },
  hint:
    'Keep the headers with the webhook, and send every one of them, with its value as it was given, to that webhook alone: ' +
    'give them to the request, and not to a client or a list that requests share. Where values are masked for those who read ' +
    'a webhook, mask the copy that is shown, and neither store nor send it.',
});

/** @throws Unobservable where the service shows that it keeps one header of a name: what it did not keep need not be sent */
function expectAllKept(webhook: Webhook, configured: readonly CustomHeader[]): void {
  const kept = shownNames(webhook);
  const asked = configured.map(({ name }) => name);
  if (asked.some((name) => isRepeated(asked, name) && !isRepeated(kept, name)))
    throw new Unobservable('the service keeps one custom header of a name');
}

function isRepeated(names: readonly string[], name: string): boolean {
  return names.filter((each) => each.toLowerCase() === name.toLowerCase()).length > 1;
}

/** Those of several headers that the service takes, where it does not take them all together. */
async function takenAlone(kit: ServiceKit, headers: readonly CustomHeader[]): Promise<readonly CustomHeader[]> {
  if (headers.length < 2) return [];
  const alone = await Promise.all(headers.map(async (header) => ((await withHeaders(kit, [header])) ? [header] : [])));
  return alone.flat();
}

/** A custom header may be a key to the receiver: another receiver must not get it. */
function leaked(
  kit: ServiceKit,
  own: { readonly webhook: Webhook; readonly configured: readonly CustomHeader[]; readonly first: Caught },
  other: Notified | undefined,
): ServiceFinding | undefined {
  if (other === undefined) return undefined;
  const [found] = other.attempts.flatMap((strange) => {
    const header = own.configured.find(({ name, value }) => kit.header(strange, name) === value);
    return header === undefined ? [] : [{ strange, header }];
  });
  if (found === undefined) return undefined;
  const { strange, header } = found;
  return finding('WHK-10', {
    expected: `${header.name} is sent to the webhook that it was configured for, and to no other`,
    actual: `a webhook without custom headers got ${header.name}: ${header.value} as well, with attempt ${strange.number}`,
    exchanges: [own.webhook.creation, own.first, strange],
  });
}

/** What others heard of: no header that was taken, nor a list of none, keeps a webhook from being notified. */
function unheard(
  { creation }: Webhook,
  { event, monitored }: TriggeredEvent,
  configured: readonly CustomHeader[],
): ServiceFinding {
  const lines = configured.map(({ name, value }) => `${name}: ${value.length > 40 ? `${value.slice(0, 40)}…` : value}`);
  return finding('DLV-6', {
    expected: `${event} brings a notification to a webhook with these custom headers`,
    actual: 'nothing came, though a webhook without custom headers was notified',
    exchanges: [creation, ...monitored.slice(0, 1).map(({ attempts: [first] }) => first)],
    absence: true,
    difference: lines.length === 0 ? 'headers is an empty list' : `the custom headers ${lines.join(', ')}`,
    hint: unsent,
  });
}

const unsent =
  'Something about these headers keeps the notification from being made or sent, such as a name that comes twice, an ' +
  'empty or a long value, or no header at all: see what the code throws that prepares the request. Refuse at creation what you cannot send.';

/** Section 4.4: a retry is a delivery like the first. */
const sentAgain = serviceCheck<readonly CustomHeader[]>({
  id: 'service/custom-headers/every-attempt',
  title: 'sends the custom headers of a webhook with every retry, and with no retry of another webhook',
  requirements: ['WHK-10'],
  about: ['webhook:headers', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.08,
  cases: () => [headers(anyCase, 3)],
  run: async (kit, configured) => {
    const { retries } = kit.contract.delivery;
    const other = await kit.register({ events: [kit.scenarioEvents[0]], script: [refuse()] });
    const { webhook, notified, first, triggered } = await firstDelivery(kit, {
      headers: configured,
      script: [refuse()],
    });
    for (const caught of await retriesSeen(kit, notified, retries)) {
      const found = missing(kit, caught, configured);
      if (found) return found;
    }
    return leaked(kit, { webhook, configured, first }, await kit.arrival(other, triggered));
  },
  hint:
    'Read the headers of the webhook for every attempt, and give them to that one request: code that stores a retry often ' +
    'stores the body alone, or sends it with what the client still holds of another webhook.',
});

const keepBoth =
  'The webhook has two headers of one name, and a map from names to values keeps one of them. Add each to the request, or ' +
  'join their values with a comma. A service may also refuse the second when the webhook is created.';

const putInPlace =
  'Your code, its HTTP client or what traces it sets a header of that name, too. Put the one of the webhook in its place, ' +
  'after all others are set, or refuse the name when the webhook is created.';

function missing(kit: ServiceKit, caught: Caught, configured: readonly CustomHeader[]) {
  const names = configured.map(({ name }) => name);
  const wrong = configured.find(({ name, value }) => {
    const received = kit.header(caught, name);
    // Several of one name may be sent as one, in a list.
    if (isRepeated(names, name)) return !received?.split(/, */).includes(value);
    return received !== value && !isBesideAnother(kit, caught, { name, value });
  });
  if (wrong === undefined) return undefined;
  const received = kit.header(caught, wrong.name);
  return finding('WHK-10', {
    expected: `attempt ${caught.number} carries ${wrong.name}: ${wrong.value}`,
    actual: received === undefined ? `it has no header ${wrong.name}` : `it carries ${JSON.stringify(received)}`,
    exchanges: [caught],
    ...(received !== undefined && isRepeated(names, wrong.name) && { hint: keepBoth }),
    ...(received !== undefined && setByMany.includes(wrong.name) && { hint: putInPlace }),
  });
}

/**
 * It goes out as it was configured, and what the service sets by itself under that name as well: which one counts is for the
 * receiver to say. HTTP clients write both as two lines or as a list, which are the same (RFC 9110, section 5.3).
 */
function isBesideAnother(kit: ServiceKit, { headers: all }: Caught, { name, value }: CustomHeader): boolean {
  const same = all.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  const listed = (each: string) =>
    setByMany.includes(name) && (each.startsWith(`${value}, `) || each.endsWith(`, ${value}`));
  if (!same.some(([, each]) => each === value || listed(each))) return false;
  kit.observe('WHK-10', `${name} goes out twice: as it was configured, and as the service sets it`, 'custom headers');
  return true;
}

/** Section 2.1: the first letter of a name becomes a capital, where it is shown or where it is sent. */
const capitalised = serviceCheck<CustomHeader>({
  id: 'service/custom-headers/capitalised',
  title: "capitalises custom headers' names, and changes nothing else of them",
  requirements: ['WHK-11'],
  about: ['webhook:headers'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: () => [fc.record({ name: lowerCase, value: customHeaderValue() })],
  run: async (kit, header) => {
    const { webhook, first } = await firstDelivery(kit, { headers: [header] });
    const shown = shownNames(webhook);
    const sentNames = first.headers.map(([name]) => name);
    const own = [...shown, ...sentNames].filter((name) => name.toLowerCase() === header.name);
    if (own.some((name) => !/^[a-z]/.test(name)) && (shown.length === 0 || shown.some((name) => own.includes(name)))) {
      return undefined;
    }
    if (own.length === 0 && shown.length === 0) throw new Unproven('the header was neither shown nor sent');
    return finding('WHK-11', {
      expected: `${header.name} is shown or sent with a capital first letter`,
      actual: `it is shown as ${shown.join() || 'nothing'} and sent as ${own.at(-1) ?? 'nothing'}`,
      exchanges: [webhook.creation, first],
    });
  },
  hint: 'Capitalise the parts of the name (x-order-id becomes X-Order-Id) when the webhook is stored; keep hyphens and digits as they are.',
});

function shownNames({ headers: shown }: Webhook): readonly string[] {
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((each) => (isJsonObject(each) && typeof each['name'] === 'string' ? [each['name']] : []));
}

/** The checks of this topic, in the order in which they run and are listed. */
export const customHeadersChecks: readonly ServiceCheck[] = [sent, sentAgain, capitalised, harmless];
