import fc from 'fast-check';

import { serviceCheck, Unproven, type ServiceCheck } from '../../check.ts';
import type { CatchScript, CatchStep } from '../../exchange.ts';
import type { CatchingEndpoint, ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { firstDelivery } from '../firstDelivery.ts';
import { sameButForId } from '../redelivery.ts';
import { accept, acceptAfter, describeStep, formed, refuse, type Respond as Answer } from '../steps.ts';

const mebibyte = 1024 * 1024;

/** What an answer may say beside its status, which alone counts. */
const bodies = [
  ['application/json', '{"ok":false}'],
  ['application/json', '{"status":"error","error":"unknown"}'],
  ['application/json', '{'],
  ['application/json', ''],
  ['text/plain', 'failed'],
  ['text/html', '<h1>Internal Server Error</h1>'],
] as const;

/** Section 4.4: an accepting status ends the delivery, whatever else the answer holds. */
const acceptedStatus = serviceCheck<{ readonly answer: Answer; readonly failures: number }>({
  id: 'service/acceptance/accepted-status',
  title: 'sends nothing again after an accepting status',
  requirements: ['DLV-2'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.4,
  cases: ({ contract: { delivery } }) => {
    const acceptedStatuses = someStatuses(delivery.acceptedStatuses);
    const answered = (answer: Partial<Answer>, failures = 0) =>
      fc.record({
        failures: fc.constant(failures),
        answer: fc.constantFrom(...acceptedStatuses).map((status): Answer => ({ do: 'respond', status, ...answer })),
      });
    return [
      ...acceptedStatuses.map((status) => answered({ status })),
      ...bodies.map(([type, body]) =>
        answered({ status: acceptedStatuses[0], body, headers: [['Content-Type', type]] }),
      ),
      answered({ status: acceptedStatuses[0], body: 'taken', headers: [['Transfer-Encoding', 'chunked']] }),
      answered({ status: acceptedStatuses[0], bodyBytes: mebibyte }),
      answered({ headers: [['Retry-After', '0']] }),
      answered({ headers: [['Connection', 'close']] }),
      ...formed({ status: acceptedStatuses[0] }).map((answer) => answered(answer)),
      // A retry is judged as the first attempt is: other code may do it.
      ...acceptedStatuses.map((status, place) => answered({ status }, Math.min(place + 1, delivery.retries))),
    ];
  },
  run: async (kit, { answer, failures }) => {
    const script = [...acceptAfter(failures, refuse(), kit.contract).slice(0, -1), answer] as unknown as CatchScript;
    const { notified } = await firstDelivery(kit, { script });
    if (failures > 0 && !(await kit.untilAttempt(notified, failures + 1)))
      throw new Unproven('it was not retried, so no retry was accepted');
    if (await kit.staysQuiet(notified)) return undefined;
    return finding('DLV-2', {
      expected: `the delivery ends after ${describeStep(answer)}`,
      actual: `it was sent ${notified.attempts.length} times`,
      exchanges: notified.attempts.slice(0, failures + 2),
      // On a busy machine the service's time-out may have come before the answer: it has to recur.
      absence: true,
      hangsOnTime: true,
    });
  },
  hint:
    'Compare the status with the accepting ones and with nothing else: an answer without a body (204) is as good as one ' +
    'with, and what its body says, or the reason behind the status, does not count. Stop reading a long body instead of failing on it, and ' +
    'let the HTTP client take its framing and its coding apart. Where you store what it says, store bytes: it may be no UTF-8, and hold a NUL. If it came twice within milliseconds, two workers took it: claim a ' +
    'notification in the statement that looks for it (UPDATE ... RETURNING, FOR UPDATE SKIP LOCKED).',
});

/** Section 4: an answer that never ends is one delivery's matter. */
const unusualAnswers = serviceCheck<CatchStep>({
  id: 'service/acceptance/unusual-answers',
  title:
    'goes on delivering to others while an answer never ends, trickles or breaks off, and makes no second notification of that',
  requirements: ['DLV-6', 'NTF-3'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: ({ contract: { delivery } }) => {
    const status = delivery.acceptedStatuses[0];
    const steps: readonly CatchStep[] = [
      { do: 'endless', status, ms: 2000 },
      { do: 'trickle', status, every: 50, bytes: 40 },
      { do: 'slow-read', status, ms: 500 },
      { do: 'reset', when: 'after' },
    ];
    return steps.map((step) => fc.constant(step));
  },
  run: async (kit, step) => {
    const odd = await kit.register({ script: [step, accept(kit.contract)] });
    const plain = await kit.register();
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const notified = await kit.arrival(plain, triggered);
    const [first] = odd.endpoint.caught;
    if (notified === undefined) {
      return finding('DLV-6', {
        expected: 'a webhook that answers at once gets its notification',
        actual: `nothing came to it while another webhook gave ${describeStep(step)}`,

        absence: true,
        exchanges: [plain.creation, ...(first ? [first] : [])],
      });
    }
    const known = kit.monitored(triggered.event).length;
    await observeEnd(kit, odd.endpoint, step);
    const one = odd.endpoint.caught[0];
    const copy = () => one && odd.endpoint.caught.find((caught) => sameButForId(kit, one, caught));
    const again = await kit.soon(copy, kit.overdueAfter({ took: 0, timeout: 0 }));
    if (!one || !again || kit.monitored(triggered.event).length > known) return undefined;
    return finding('NTF-3', {
      expected: `what is sent again after ${describeStep(step)} carries the id of the first delivery`,
      actual: 'the same notification came once more under another id',
      exchanges: [one, again],
      // It may have happened twice at the same moment: it has to recur.
      absence: true,
    });
  },
  hint: 'Read answers with a bound of bytes and of time, and send to each webhook independently of the others.',
});

/** Statuses of success that servers send; a contract may accept all that begin with 2. */
const usual: readonly number[] = [200, 201, 202, 203, 204, 205, 206, 207, 226, 299];

function someStatuses(accepted: readonly [number, ...number[]]): readonly [number, ...number[]] {
  const [first = accepted[0], ...others] = accepted.filter((status) => usual.includes(status));
  return accepted.length > usual.length ? [first, ...others] : accepted;
}

/** The checks of this topic, in the order in which they run and are listed. */
export const acceptanceChecks: readonly ServiceCheck[] = [acceptedStatus, unusualAnswers];

/** Milliseconds that the end of an unusual answer is waited for; it judges nothing. */
const longest = 4000;

async function observeEnd(kit: ServiceKit, { caught }: CatchingEndpoint, step: CatchStep): Promise<void> {
  const until = kit.elapsed() + longest;
  await kit.until(async () => caught[0]?.end ?? (kit.elapsed() > until || undefined));
  const { end, at } = caught[0] ?? { at: 0 };
  if (end === undefined) return;
  const ms = Math.round(end.at - at);
  kit.observe('GAP-17', `${describeStep(step)}: ${end.kind} after ${ms} ms`, 'timed at the catcher');
}
