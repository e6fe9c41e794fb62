import fc from 'fast-check';

import type { Caught } from '../../exchange.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceCheck, type ServiceFinding } from '../../check.ts';
import type { Notified, Registration, ServiceKit, Webhook } from '../../serviceKit.ts';
import { delivered, isShared } from '../firstDelivery.ts';
import { registeredAt } from '../creation.ts';
import { attemptsSeen, retriesSeen } from '../redelivery.ts';
import { describeStep, refuse, acceptAfter } from '../steps.ts';
import { judgeForm, judgeSignature, secretOf, signingHint } from '../signing.ts';
import { finding } from '../../finding.ts';

/** Section 5.2: the first attempt carries a signature of its raw body. */
const firstAttempt = serviceCheck<{ readonly webhooks: number; readonly headers: Registration['headers'] }>({
  id: 'service/signature/first-attempt',
  title: "signs the body that it sends with the webhook's own secret",
  requirements: ['SIG-2', 'SIG-1', 'WHK-9'],
  about: ['signature', 'webhook:secret'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () =>
    [null, [{ name: 'X-Team', value: 'sea' }]].map((headers) =>
      fc.record({ webhooks: fc.integer({ min: 2, max: 4 }), headers: fc.constant(headers) }),
    ),
  run: async (kit, { webhooks, headers }) => {
    const all = await kit.registerMany(webhooks, () => ({
      events: [kit.scenarioEvents[0]],
      ...(headers && { headers }),
    }));
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    for (const webhook of all) {
      const [caught] = (await delivered(kit, webhook, triggered)).attempts;
      const others = all.filter((other) => other !== webhook);
      const found = kit.signature(caught, secretOf(webhook));
      if (found && !kit.signing.isStated) {
        const evidence = 'it verifies under the secret that the creation gave out';
        const { name } = found.scheme;
        if (found.variant === undefined) kit.learn('signature.scheme', name, evidence);
        else kit.observe('GAP-14', `the signature is ${name}, ${found.variant}`, evidence);
        kit.learn('signature.header', found.header, evidence);
      }
      const wrong = judgeSignature(kit, caught, { webhook, others });
      if (wrong) return wrong;
    }
    return undefined;
  },
  hint:
    'Serialise once, sign those bytes, send those bytes. A body that is serialised again by the HTTP client, or a secret ' +
    'that is the same for every webhook, does not verify. Nor does one that a proxy on the way out writes anew.',
});

/** Section 5.2: retries are deliveries. */
const everyAttempt = serviceCheck<{ readonly failures: number; readonly status: number }>({
  id: 'service/signature/every-attempt',
  title: 'signs every retry as it signs the first attempt',
  requirements: ['SIG-1', 'SIG-2', 'WHK-9'],
  about: ['signature', 'webhook:secret', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: ({ contract: { delivery } }) =>
    [fc.integer({ min: 1, max: 4 }), fc.constant(delivery.retries)].map((failures) =>
      fc.record({ failures, status: fc.constantFrom(500, 404, 429) }),
    ),
  run: async (kit, { failures, status }) => {
    const step = refuse(status);
    const registration = {
      events: [kit.scenarioEvents[0]],
      script: acceptAfter(failures, step, kit.contract),
    };
    const [webhook, other] = await Promise.all([kit.register(registration), kit.register(registration)]);
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const notified = await delivered(kit, webhook, triggered);
    for (const caught of await retriesSeen(kit, notified, failures)) {
      const found =
        judgeSignature(kit, caught, { webhook, others: [other] }) ??
        judgeForm(kit, webhook, [notified.attempts[0], caught]);
      if (found && caught.number === 1) return found;
      if (!found) continue;
      const later = notified.attempts.slice(caught.number);
      const isSporadic = later.some((other) => kit.signature(other, secretOf(webhook)));
      const difference = `attempt ${caught.number}, after ${describeStep(step)}`;
      return { ...found, difference, ...(isSporadic && { hint: signingHint }) };
    }
    return undefined;
  },
  hint: 'Build a retry from what was stored: the body as it was sent, and the headers with it. Code that only re-posts the body forgets the signature.',
});

/** What two webhooks with one url are distinguished by, beside their secrets. */
const own = [{ name: 'X-Team', value: 'sea' }] as const;
const others = [{ name: 'X-Team', value: 'land' }] as const;

/** Attempts of each of their notifications that are refused. */
const refusals = 2;

/** Sections 2.1 and 6: two webhooks are two, also where both have the same url. */
const oneUrl = serviceCheck<null>({
  id: 'service/signature/one-url',
  title:
    'notifies both of two webhooks with the same url, with the secret and the custom headers of each in every attempt',
  requirements: ['WHK-9', 'SIG-2', 'SIG-1', 'WHK-10', 'DLV-6'],
  about: ['signature', 'webhook:secret'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const [event] = kit.scenarioEvents;
    const known = kit.monitored(event).length;
    const script = acceptAfter(refusals, refuse(), kit.contract);
    const first = await kit.register({ events: [event], headers: own, script });
    const second = await registeredAt(kit, first, { events: [event], headers: others });
    const triggered = await kit.trigger(event);
    const notified = await delivered(kit, first, triggered);
    const notifications = await kit.arrivals(first, triggered);
    const came = first.endpoint.caught.filter((caught) => kit.delivered(caught, 'event') === triggered.event);
    const unsigned = [first, second].filter((webhook) => !came.some((each) => kit.signature(each, secretOf(webhook))));
    const most = 2 * Math.max(1, kit.monitored(event).length - known);
    if (unsigned.length === 2)
      throw new Unproven('what came is not signed for either: see service/signature/first-attempt');
    const areShared = isShared({ notified, triggered });
    if (unsigned.length === 0) {
      const isEach = notifications.length >= most && !areShared;
      return isEach ? mixedUp(kit, [first, second], notifications) : undefined;
    }
    // The retries of one come as often as two.
    const isMissing = (areShared ? came : notifications).length < most;
    if (isMissing && areShared) {
      throw new Unobservable('webhooks share one notification (GAP-21), which came once to the url that they share');
    }
    const whose = unsigned[0] === first ? 'first' : 'second';
    const part = isMissing ? `${notifications.length} of ${most} came, and` : `of ${came.length} that came,`;
    return finding(isMissing ? 'DLV-6' : ['WHK-9', 'SIG-2'], {
      expected: 'two webhooks with one url get a notification each, signed with the secret of each',
      actual: `${part} none verifies under the secret of the ${whose}`,
      ...(isMissing && { hint: 'Make a notification for each webhook that subscribes, not for each url.' }),
      exchanges: [first.creation, second.creation, ...came.slice(0, 2)],
      absence: true,
    });
  },
  hint: 'Look the webhook up by its id for every attempt, its secret and its custom headers with it: never by its url.',
});

/** Whose secret signs the first attempt of a notification is the webhook that it was made for: each attempt is as it has to be for that one. */
async function mixedUp(
  kit: ServiceKit,
  webhooks: readonly [Webhook, Webhook],
  notifications: readonly Notified[],
): Promise<ServiceFinding | undefined> {
  const [first, second] = webhooks;
  if (secretOf(first) === secretOf(second)) return undefined;
  for (const notified of notifications) {
    const webhook = webhooks.find((each) => kit.signature(notified.attempts[0], secretOf(each)));
    if (webhook === undefined) continue;
    const [other, foreign] = webhook === first ? [second, others] : [first, own];
    for (const caught of await attemptsSeen(kit, notified, refusals)) {
      const found = judgeSignature(kit, caught, { webhook, others: [other] }) ?? leaked(kit, caught, [other, foreign]);
      if (found)
        return { ...found, ...(caught.number > 1 && { twin: notified.attempts[0], difference: 'it is a retry' }) };
    }
  }
  return undefined;
}

function leaked(
  kit: ServiceKit,
  caught: Caught,
  [other, [{ name, value }]]: readonly [Webhook, typeof own | typeof others],
): ServiceFinding | undefined {
  if (kit.header(caught, name) !== value) return undefined;
  return finding('WHK-10', {
    expected: `attempt ${caught.number} carries the custom headers of the webhook whose secret signs it`,
    actual: `it carries ${name}: ${value}, of the other webhook with this url`,
    exchanges: [other.creation, caught],
  });
}

/** The checks of this topic, in the order in which they run and are listed. */
export const signatureChecks: readonly ServiceCheck[] = [firstAttempt, everyAttempt, oneUrl];
