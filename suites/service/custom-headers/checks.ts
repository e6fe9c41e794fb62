import fc from 'fast-check';

import { customHeaderName, customHeaderValue } from '../../../generators/calls/customHeader.ts';
import { isJsonObject } from '../../../generators/json/json.ts';
import { serviceCheck, Unproven } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { firstDelivery } from '../firstDelivery.ts';
import { retriesSeen } from '../retriesSeen.ts';
import { refuse } from '../steps.ts';

interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

const lowerCase = fc.stringMatching(/^x-[a-z][a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}$/);
const anyCase = fc.oneof(customHeaderName(), lowerCase);

function headers(name: fc.Arbitrary<string>, most: number): fc.Arbitrary<readonly CustomHeader[]> {
  return fc.uniqueArray(fc.record({ name, value: customHeaderValue() }), {
    minLength: 1,
    maxLength: most,
    selector: (header) => header.name.toLowerCase(),
  });
}

/** Sections 2.1 and 4.4: what was configured goes out. */
export const sent = serviceCheck<readonly CustomHeader[]>({
  id: 'service/custom-headers/sent',
  title: 'sends the custom headers of a webhook as they were configured',
  requirements: ['WHK-10'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.15,
  cases: () => [headers(anyCase, 1), headers(anyCase, 6)],
  run: async (kit, configured) => {
    const { first } = await firstDelivery(kit, { headers: configured });
    return missing(kit, first, configured);
  },
  hint: 'Keep the headers with the webhook, and send every one of them, with its value as it was given.',
});

/** Section 4.4: a retry is a delivery like the first. */
export const sentAgain = serviceCheck<readonly CustomHeader[]>({
  id: 'service/custom-headers/every-attempt',
  title: 'sends the custom headers of a webhook with every retry',
  requirements: ['WHK-10'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.08,
  cases: () => [headers(anyCase, 3)],
  run: async (kit, configured) => {
    const { retries } = kit.contract.delivery;
    const { notified } = await firstDelivery(kit, { headers: configured, script: [refuse()] });
    for (const caught of await retriesSeen(kit, notified, retries)) {
      const finding = missing(kit, caught, configured);
      if (finding) return finding;
    }
    return undefined;
  },
  hint: 'Read the headers of the webhook for every attempt: code that stores a retry often stores the body alone.',
});

function missing(kit: ServiceKit, caught: Caught, configured: readonly CustomHeader[]) {
  const wrong = configured.find(({ name, value }) => kit.header(caught, name) !== value);
  if (wrong === undefined) return undefined;
  const received = kit.header(caught, wrong.name);
  return broken('WHK-10', {
    expected: `attempt ${caught.number} carries ${wrong.name}: ${wrong.value}`,
    actual: received === undefined ? 'it has no such header' : `it carries ${JSON.stringify(received)}`,
    exchanges: [caught],
  });
}

/** Section 2.1: the first letter of a name becomes a capital, where it is shown or where it is sent. */
export const capitalised = serviceCheck<CustomHeader>({
  id: 'service/custom-headers/capitalised',
  title: "capitalises custom headers' names, and changes nothing else of them",
  requirements: ['WHK-11'],
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
    return broken('WHK-11', {
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
