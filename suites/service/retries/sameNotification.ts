import fc, { type Arbitrary } from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Caught, CatchScript, CatchStep } from '../../exchange.ts';
import type { Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import type { LateRetries } from '../../acrossSittings.ts';
import type { Contract } from '../../../spec/contract.ts';
import { finding } from '../../finding.ts';
import { firstDelivery } from '../firstDelivery.ts';
import { sameButForId, sameMoment } from '../redelivery.ts';
import { itemOf } from '../../items.ts';
import { accept, describeStep, refuse } from '../steps.ts';
import { resolution, sameTime, utcTime } from '../utcTime.ts';
import { attemptJudges, queryMismatch, type Mismatch } from '../bodyMismatch.ts';
import { judgeSignature } from '../signing.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** How the attempts fail, one after the other. */
type Failures = readonly CatchStep[];

/** Statuses after which an HTTP client makes another request of its own accord, or code of the service another attempt. */
const statuses = [500, 303, 302, 301, 307, 308, 400, 401, 407, 413, 415, 429, 503];

/** All that brings retries: a service may have other code for each. */
function failureKinds({ delivery }: Contract): readonly Arbitrary<Failures>[] {
  const refused = fc.constantFrom(500, 400, 302).map((status) => refuse(status));
  const once = (...steps: readonly CatchStep[]) => fc.constantFrom(...steps).map((step) => [step]);
  const each = Array.from({ length: delivery.retries }, (_, place) => refuse(statuses[place % statuses.length]));
  return [
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), refused)
      .map(([failures, step]) => Array.from({ length: failures }, () => step)),
    fc.shuffledSubarray(each, { minLength: each.length }),
    once(refuse(429, [['Retry-After', '0']])),
    once(refuse(503, [['Retry-After', '0']])),
    once({ do: 'reset', when: 'before' }, { do: 'reset', when: 'during' }),
    once({ do: 'close', when: 'before' }),
    once({ do: 'hang' }),
  ];
}

/** Part of the registered URL, and of each delivery. */
const query = '?tenant=kit&mode=retry';
const folder = '/kit%2Fretry';

const headers = [{ name: 'X-Team', value: 'sea' }] as const;

const asStored =
  'Give a notification its id and its time of creation when it is stored, and send the stored request again, by the same code whatever made the attempt before fail: its method, its URL, its headers, its body, its signature.';

/** Sections 2.2 and 6, rule 3: a redelivery is the same notification, and as right as the first delivery. */
export const sameNotification = serviceCheck<Failures>({
  id: 'service/retries/same-notification',
  title:
    'sends the same notification again: its id and its time of creation stay, and it is as right as the first delivery',
  requirements: [
    'NTF-3',
    'NTF-7',
    'NTF-1',
    'NTF-4',
    'NTF-5',
    'NTF-6',
    'NTF-8',
    'SVC-2',
    'DLV-1',
    'WHK-10',
    'SIG-1',
    'SIG-2',
    'WHK-9',
  ],
  about: ['retries', 'id'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: ({ contract }) => failureKinds(contract),
  run: async (kit, steps) => {
    const failures = steps.length;
    const script: CatchScript = [...steps, accept(kit.contract)] as never;
    const late = kit.acrossSittings.lateRetries(script);
    const { webhook, notified, first, triggered } = await firstDelivery(kit, { folder, query, headers, script });
    kit.acrossSittings.awaitRetries(webhook, first);
    const { caught } = webhook.endpoint;
    const retried = () => retriesOf(first, caught, failures);
    const renamed = () => caught.filter((other) => sameButForId(kit, first, other));
    const happened = kit.monitored(triggered.event).length;
    const since = () => kit.monitored(triggered.event).slice(happened);
    const isAgain = () => since().length > 0;
    const isInstead = (other: Caught) =>
      sameButForId(kit, first, other) || (!isAgain() && sameMoment(kit, first, other));
    const instead = () => caught.filter((other) => other.at > (notified.attempts.at(-1)?.at ?? 0) && isInstead(other));
    const isDone = (): boolean => retried().length >= failures || renamed().length > 2 || instead().length > 0;
    const wrongLate = () => late.map((each) => changedLate(kit, each)).find((one) => one !== undefined);
    await kit.until(async () => isDone() || kit.isOverdue(notified) || wrongLate() !== undefined || undefined);
    const later = wrongLate();
    if (later) return later;
    await kit.settle();
    const others = renamed();
    if (others.length > 2 && notified.attempts.length <= failures && keptNone(others))
      return underAnotherId(first, others);
    // What has not happened again comes in the place of the retry. Had it, it would have another time, or be retried itself.
    const isDated = keptNone(instead()) && datesApart(kit, first, since());
    const isSame = isDated || !isAgain();
    if (instead().length > 0 && notified.attempts.length <= failures && isSame) return underAnotherId(first, instead());
    const retries = retried();
    if (retries.length === 0) throw notRetried(first);
    observeBytes(kit, notified);
    const wrongSignature = () => otherwiseSigned(kit, webhook, first, retries);
    const found = changedOnRetry(kit, { first, retries, wrongSignature }) ?? createdAgain(kit, notified.attempts);
    return (
      found && {
        ...found,
        difference: found.difference ?? `it follows after ${describeStep(failureBefore(found, steps))}`,
      }
    );
  },
  hint: asStored,
});

/** What came in front of the attempt in which something is wrong. */
function failureBefore({ exchanges }: ServiceFinding, steps: Failures): CatchStep {
  const numbers = exchanges.flatMap((each) => ('number' in each ? [each.number] : []));
  return itemOf(steps, Math.min(Math.max(2, ...numbers), steps.length + 1) - 2);
}

/** How long a service waits for an answer is not described (GAP-17): `service/connections/time-out` says that it goes on. */
function notRetried({ end }: Caught): Error {
  return end === undefined
    ? new Unobservable('the service was still waiting for an answer, so that no redelivery could be compared')
    : new Unproven('no redelivery came, so it could not be compared');
}

/** What came under the same id before it was accepted, whatever event it names, and what shows no id at all. */
function retriesOf(first: Caught, caught: readonly Caught[], failures: number): readonly Caught[] {
  const same = caught.filter(({ key }) => key !== '' && key === first.key).slice(1, failures + 1);
  return first.key === '' ? [] : [...same, ...caught.filter(({ key }) => key === '')];
}

/** Ids that all came once only: siblings of one event would each have been redelivered. */
function keptNone(caught: readonly Caught[]): boolean {
  return caught.every(({ number }) => number === 1);
}

/** Whether the times of creation distinguish a notification from those of what happened later: of one second, none may. */
function datesApart(kit: ServiceKit, first: Caught, later: readonly Notified[]): boolean {
  const created = kit.delivered(first, 'createdAt');
  const time = utcTime(created);
  const isNear = (other: unknown) =>
    typeof created === 'string' &&
    time !== undefined &&
    Math.abs((utcTime(other) ?? time) - time) <= resolution(created);
  return created !== undefined && !later.some(({ attempts }) => isNear(kit.delivered(attempts[0], 'createdAt')));
}

export function underAnotherId(first: Caught, others: readonly Caught[]) {
  return finding('NTF-3', {
    expected: 'the redelivery carries the id of the first delivery',
    actual: `the same notification came ${others.length === 1 ? 'once more,' : `${others.length} times more, each time`} under another id`,
    exchanges: [first, ...others.slice(0, 2)],
    hint: asStored,
  });
}

export function createdAgain(kit: ServiceKit, attempts: Notified['attempts']): ServiceFinding | undefined {
  const created = (caught: Caught) => kit.delivered(caught, 'createdAt');
  const [first] = attempts;
  const changed = attempts.find((attempt) => !sameTime(created(attempt), created(first)));
  if (changed === undefined) return undefined;
  return finding('NTF-7', {
    expected: `every redelivery was created at ${String(created(first))}`,
    actual: `attempt ${changed.number} says that it was created at ${String(created(changed))}`,
    exchanges: [first, changed],
    hint: asStored,
  });
}

function observeBytes(kit: ServiceKit, { attempts }: Notified): void {
  const changed = attempts.find(({ body }) => !body.equals(attempts[0].body));
  if (changed === undefined) return;
  kit.observe('GAP-1', 'the body of a redelivery differs from that of the first delivery', `attempt ${changed.number}`);
}

/** The first delivery of a notification, and its retries. */
interface Retried {
  readonly first: Caught;
  readonly retries: readonly Caught[];
  /** What is wrong with the signatures of the retries; nothing where they are right, or nobody knows. */
  readonly wrongSignature: () => ServiceFinding | undefined;
}

/** What is wrong with the retries that come of an earlier sitting; nothing where they are right, or none came. */
function changedLate(kit: ServiceKit, late: LateRetries): ServiceFinding | undefined {
  const { first, retries } = late;
  if (retries.length === 0) return undefined;
  const wrongSignature = () => otherSignature(kit, late);
  const found = changedOnRetry(kit, { first, retries, wrongSignature }) ?? createdAgain(kit, [first, ...retries]);
  return found && { ...found, actual: `${found.actual}; attempts before the run was resumed may not have been seen` };
}

/** Nobody knows the secret any more, but that the same bytes have the same signature. */
function otherSignature(kit: ServiceKit, { first, retries, signedIn, isSignedOtherwise }: LateRetries) {
  const retry = retries.find((each) => isSignedOtherwise(each));
  if (retry === undefined || signedIn === undefined) return undefined;
  const expected = `${signedIn} holds the signature of these bytes`;
  if (kit.header(retry, signedIn) === undefined)
    return onRetry('SIG-1', { expected, actual: 'the header is missing' }, [first, retry]);
  return onRetry(['SIG-2', 'WHK-9'], { expected, actual: 'it holds another value' }, [first, retry]);
}

/**
 * What the contract says of every delivery, tested on the retries of one notification. What is wrong with the first delivery
 * already is for the checks of first deliveries to say.
 *
 * @returns nothing where the retries are right
 */
function changedOnRetry(kit: ServiceKit, retried: Retried): ServiceFinding | undefined {
  const { first, retries } = retried;
  for (const [requirement, judge] of attemptJudges) {
    if (judge(kit, first)) continue;
    for (const retry of retries) {
      const mismatch = judge(kit, retry);
      if (mismatch) return onRetry(requirement, mismatch, [first, retry]);
    }
  }
  return elsewhere(retried) ?? renamed(kit, retried) ?? retried.wrongSignature() ?? withoutHeader(kit, retried);
}

function onRetry(
  requirement: RequirementId | readonly RequirementId[],
  { expected, actual }: Mismatch,
  exchanges: readonly [first: Caught, retry: Caught],
): ServiceFinding {
  return finding(requirement, {
    expected: `${expected} in the retry as in the first delivery`,
    actual: `${actual}, in attempt ${exchanges[1].number}`,
    exchanges,
  });
}

/**
 * Section 4.4: a retry goes to the registered URL, as the first attempt did. On a busy machine the first that the kit sees
 * may be a retry itself, so that what was registered decides.
 */
function elsewhere({ first, retries }: Retried): ServiceFinding | undefined {
  const wrong = queryMismatch(first, query);
  if (wrong) return finding('SVC-2', { ...wrong, exchanges: [first] });
  const retry = retries.find(({ path }) => path !== first.path);
  const mismatch = { expected: `the path is ${first.path}`, actual: `it is ${retry?.path}` };
  return retry && onRetry('SVC-2', mismatch, [first, retry]);
}

function renamed(kit: ServiceKit, { first, retries }: Retried): ServiceFinding | undefined {
  const event = kit.delivered(first, 'event');
  const retry = retries.find((each) => kit.delivered(each, 'event') !== event);
  if (retry === undefined || typeof event !== 'string') return undefined;
  const actual = `it names ${String(kit.delivered(retry, 'event'))}`;
  return onRetry('NTF-5', { expected: `the event is ${event}`, actual }, [first, retry]);
}

function withoutHeader(kit: ServiceKit, { first, retries }: Retried): ServiceFinding | undefined {
  for (const { name, value } of headers.filter((each) => kit.header(first, each.name) === each.value)) {
    const retry = retries.find((each) => kit.header(each, name) !== value);
    if (retry === undefined) continue;
    const other = kit.header(retry, name);
    const actual = other === undefined ? `there is no header ${name}` : `it carries ${name}: ${other}`;
    return onRetry('WHK-10', { expected: `it carries ${name}: ${value}`, actual }, [first, retry]);
  }
  return undefined;
}

function otherwiseSigned(
  kit: ServiceKit,
  webhook: Webhook,
  first: Caught,
  retries: readonly Caught[],
): ServiceFinding | undefined {
  if (typeof webhook.secret !== 'string' || judgeSignature(kit, first, { webhook, others: [] })) return undefined;
  const findings = retries.flatMap((retry) => judgeSignature(kit, retry, { webhook, others: [] }) ?? []);
  return findings[0] && { ...findings[0], twin: first, difference: 'it is a retry' };
}
