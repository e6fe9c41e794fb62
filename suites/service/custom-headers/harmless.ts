import fc from 'fast-check';

import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { delivered } from '../firstDelivery.ts';
import { secretOf } from '../signing.ts';

/** A custom header that may be refused, but must do no harm. */
interface Hostile {
  readonly what: string;
  /** Left out: the name of the signature's header. */
  readonly name?: string;
  readonly value: string;
  /** True where a service that was let to send it may well not reach the kit. */
  readonly mayVanish?: true;
}

/** What an injected header is called, and what a forged signature says. */
const marker = 'X-Kit-Injected';
const forged = 'forged-by-a-custom-header';

const overriding: readonly Hostile[] = [
  { what: "a header with the name of the signature's", value: forged },
  { what: "a header with the name of the signature's, in lower case", name: 'lower', value: forged },
];

const framing: readonly Hostile[] = [
  { what: 'Content-Length', name: 'Content-Length', value: '3' },
  { what: 'Transfer-Encoding', name: 'Transfer-Encoding', value: 'chunked' },
  { what: 'Connection', name: 'Connection', value: 'close' },
  { what: 'Host', name: 'Host', value: 'other.example', mayVanish: true },
  { what: 'Expect', name: 'Expect', value: '100-continue' },
];

const injecting: readonly Hostile[] = [
  { what: 'a line break in the value', name: 'X-Kit', value: `a\r\n${marker}: 1` },
  { what: 'a line feed in the value', name: 'X-Kit', value: `a\n${marker}: 1` },
  { what: 'a line break in the name', name: `X-Kit: a\r\n${marker}`, value: '1' },
  {
    what: 'an empty line and a second request in the value',
    name: 'X-Kit',
    value: `a\r\n${marker}: 1\r\n\r\nPOST / HTTP/1.1`,
  },
];

/** A pattern whose end ($) also stands before a last line break takes these for clean. */
const ending: readonly Hostile[] = [
  { what: 'a line feed at the end of the value', name: 'X-Kit', value: 'a\n' },
  { what: 'a line feed at the end of the name', name: 'X-Kit\n', value: 'a' },
];

/** Sections 2.1 and 5.2: configured headers are added to a delivery, and take nothing from it. */
export const harmless = serviceCheck<Hostile>({
  id: 'service/custom-headers/harmless',
  title: 'refuses custom headers that would spoil a delivery, or sends it unspoilt',
  requirements: ['SIG-2', 'DLV-1', 'WHK-10', 'DLV-6'],
  about: ['webhook:headers', 'webhook:secret', 'signature'],
  needs: ['event'],
  // A service that fails over such a webhook may notify nobody else while it is there.
  schedule: { kind: 'singly' },
  canary: true,
  weight: 0.2,
  cases: () => [...[...overriding, ...framing, ...injecting].map(fc.constant), ending.map(fc.constant)],
  run: async (kit, hostile) => {
    const webhook = await withHeaders(kit, [{ name: nameOf(kit, hostile), value: hostile.value }]);
    if (webhook === undefined) return undefined;
    const plain = await kit.register({ events: [kit.scenarioEvents[0]] });
    const difference = `a webhook with ${hostile.what} (${JSON.stringify(`${nameOf(kit, hostile)}: ${hostile.value}`)})`;
    const beside = await heard(kit, plain);
    if (beside instanceof Unproven) {
      return { ...(await heldUp(kit, { webhook, plain, trouble: beside })), difference };
    }
    const { triggered, twin } = beside;
    await kit.arrival(webhook, triggered);
    const [caught] = webhook.endpoint.caught;
    if (caught === undefined) {
      if (hostile.mayVanish) throw new Unproven(`nothing came to ${difference}`);
      return finding('DLV-6', {
        expected: 'what is accepted at creation is delivered',
        actual: `nothing came to ${difference}`,
        exchanges: [webhook.creation],
        absence: true,
        hangsOnTime: true,
        twin,
      });
    }
    const found = spoilt(kit, { caught, webhook, signed: isSigned(kit, twin, plain) });
    return found && { ...found, difference, twin };
  },
  hint:
    'Refuse names and values that are no header (line breaks, spaces in names), and names that the service sets itself: ' +
    'the signature, Content-Type, Content-Length, Host, and everything about the connection. Set your own headers last.',
});

/** What a plain webhook is sent of an event, or why nothing is seen of that. */
async function heard(kit: ServiceKit, plain: Webhook) {
  try {
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    return { triggered, twin: (await delivered(kit, plain, triggered)).attempts[0] };
  } catch (error) {
    if (error instanceof Unproven) return error;
    throw error;
  }
}

interface HeldUp {
  readonly webhook: Webhook;
  readonly plain: Webhook;
  readonly trouble: Unproven;
}

/** Section 6: a header that cannot be sent is no reason to notify nobody. @throws Unproven where nobody is notified without it either */
async function heldUp(kit: ServiceKit, { webhook, plain, trouble }: HeldUp): Promise<ServiceFinding> {
  if (kit.terms.webhook.members.active === undefined || !offers(kit.contract, 'update')) throw trouble;
  const update = await kit.update(webhook, { [attributeNamed(kit.terms, 'active')]: false });
  const again = kit.succeeded(update) ? await heard(kit, plain) : trouble;
  if (again instanceof Unproven) throw trouble;
  return finding('DLV-6', {
    expected: 'a plain webhook is notified beside it',
    actual: `it is not (${trouble.message}), and it is once the other one is inactive`,
    exchanges: [webhook.creation, update, again.twin],
    absence: true,
    hangsOnTime: true,
    hint:
      'A header that cannot be sent ends the loop over all webhooks. Refuse such names and values when a webhook is ' +
      'created, and let what goes wrong with one delivery be no matter of the others.',
  });
}

function nameOf(kit: ServiceKit, { name }: Hostile): string {
  const signature = kit.assumption('signature.header');
  if (name === undefined) return signature;
  return name === 'lower' ? signature.toLowerCase() : name;
}

function isSigned(kit: ServiceKit, caught: Caught, webhook: Webhook): boolean {
  return kit.signature(caught, secretOf(webhook)) !== undefined;
}

interface Spoilt {
  readonly caught: Caught;
  readonly webhook: Webhook;
  /** Whether the delivery beside it verifies. */
  readonly signed: boolean;
}

function spoilt(kit: ServiceKit, { caught, webhook, signed }: Spoilt): ServiceFinding | undefined {
  const exchanges = [webhook.creation, caught];
  if (caught.headers.some(([name]) => name.toLowerCase() === marker.toLowerCase())) {
    return finding('WHK-10', { expected: 'one header is sent', actual: 'a second one was smuggled in', exchanges });
  }
  if (caught.headers.some(([name]) => !token.test(name))) {
    const expected = 'a request whose head consists of headers';
    return finding('DLV-1', {
      expected,
      actual: 'a line of its head is none, at which many a receiver stops',
      exchanges,
    });
  }
  const found = kit.signature(caught, secretOf(webhook));
  // A service that signs in another header may send this one as it was configured.
  if (signed && (found === undefined || kit.header(caught, found.header)?.includes(forged))) {
    const actual = found ? 'a forged signature stands beside the real one' : 'its signature does not verify';
    return finding('SIG-2', { expected: 'the delivery is signed like any other', actual, exchanges });
  }
  if (caught.method === kit.contract.delivery.method && kit.deliveredJson(caught) !== undefined) return undefined;
  return finding('DLV-1', {
    expected: `a ${kit.contract.delivery.method} with the whole notification`,
    actual: `a ${caught.method} with ${caught.bytes < 0 ? 'a body that broke off' : `${caught.bytes} bytes that are no JSON`}`,
    exchanges,
  });
}

/** The name of a header (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

/** A webhook with these headers. @returns nothing where the service refuses them */
export async function withHeaders(kit: ServiceKit, configured: readonly CustomHeader[]): Promise<Webhook | undefined> {
  const endpoint = kit.endpoint();
  const registration = { events: [kit.scenarioEvents[0]], headers: configured };
  const body = kit.creation(kit.plainAttributes(endpoint.url, registration));
  const creation = await kit.call('create', { body });
  return kit.succeeded(creation) ? kit.adopt(creation, endpoint) : undefined;
}
