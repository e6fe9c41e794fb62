import fc from 'fast-check';

import { serviceCheck } from '../../check.ts';
import type { Registration } from '../../serviceKit.ts';
import { delivered } from '../firstDelivery.ts';
import { retriesSeen } from '../retriesSeen.ts';
import { describeStep, refuse, acceptAfter } from '../steps.ts';
import { judgeSignature, secretOf } from '../signing.ts';

/** Section 5.2: the first attempt carries a signature of its raw body. */
export const firstAttempt = serviceCheck<{ readonly webhooks: number; readonly headers: Registration['headers'] }>({
  id: 'service/signature/first-attempt',
  title: "signs the body that it sends with the webhook's own secret",
  requirements: ['SIG-2', 'SIG-1', 'WHK-9'],
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
      const found = kit.signature(caught!, secretOf(webhook));
      if (found) {
        const evidence = 'it verifies under the secret that the creation gave out';
        kit.learn('signature.scheme', found.scheme.name, evidence);
        kit.learn('signature.header', found.header, evidence);
      }
      const { finding } = judgeSignature(kit, caught!, { webhook, others });
      if (finding) return finding;
    }
    return undefined;
  },
  hint:
    'Serialise once, sign those bytes, send those bytes. A body that is serialised again by the HTTP client, or a secret ' +
    'that is the same for every webhook, does not verify.',
});

/** Section 5.2: retries are deliveries. */
export const everyAttempt = serviceCheck<{ readonly failures: number; readonly status: number }>({
  id: 'service/signature/every-attempt',
  title: 'signs every retry as it signs the first attempt',
  requirements: ['SIG-1', 'SIG-2', 'WHK-9'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: ({ contract: { delivery } }) =>
    [fc.integer({ min: 1, max: 4 }), fc.constant(delivery.retries)].map((failures) =>
      fc.record({ failures, status: fc.constantFrom(500, 404, 429) }),
    ),
  run: async (kit, { failures, status }) => {
    const step = refuse(status);
    const [webhook, other] = await kit.registerMany(2, () => ({
      events: [kit.scenarioEvents[0]],
      script: acceptAfter(failures, step, kit.contract),
    }));
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const notified = await delivered(kit, webhook!, triggered);
    for (const caught of await retriesSeen(kit, notified, failures)) {
      const { finding } = judgeSignature(kit, caught, { webhook: webhook!, others: [other!] });
      if (finding) return { ...finding, difference: `attempt ${caught.number}, after ${describeStep(step)}` };
    }
    return undefined;
  },
  hint: 'Build a retry from what was stored: the body as it was sent, and the headers with it. Code that only re-posts the body forgets the signature.',
});
