import fc from 'fast-check';

import {
  OutOfTime,
  serviceCheck,
  Unproven,
  type ServiceCheck,
  type ServiceFinding,
  unlessUnobservable,
} from '../../check.ts';
import type { Caught, CatchStep, CertificateFlaw } from '../../exchange.ts';
import type { EndpointElsewhere, Notified, ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { delivered, type FirstDelivery, firstDelivery, isNotified } from '../firstDelivery.ts';
import { usualDuration } from '../../../spec/units.ts';
import { isInactive } from '../isInactive.ts';
import { expectAttempt, expectAttempts, switchedOff } from '../redelivery.ts';
import { acceptAfter, describeStep, refuse } from '../steps.ts';
import { counted, itemOf } from '../../items.ts';

interface Break {
  readonly when: 'before' | 'during' | 'instead';
  readonly times: number;
  /** Resets the connection, or closes it in an orderly way. Default: `reset`. */
  readonly how?: 'reset' | 'close';
}

/** All ways in which a connection ends without an answer. */
const breaks = [
  { how: 'reset', when: 'before' },
  { how: 'reset', when: 'during' },
  { how: 'close', when: 'before' },
  { how: 'close', when: 'during' },
  { how: 'close', when: 'instead' },
] as const;

/** Section 4.4: an answer that did not come whole is none. */
const brokenConnection = serviceCheck<Break>({
  id: 'service/connections/broken',
  title: 'sends again after a connection that broke before the answer was there, or brought something else',
  requirements: ['DLV-4'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: () =>
    breaks.map(({ how, when }) =>
      fc.record({ when: fc.constant(when), times: fc.integer({ min: 2, max: 3 }), how: fc.constant(how) }),
    ),
  run: async (kit, { when, times, how = 'reset' }) => {
    const step = { do: how, when } as CatchStep;
    const script = acceptAfter(times, step, kit.contract);
    const delivery = await firstDelivery(kit, { script });
    return expectAttempts(kit, delivery, script.slice(0, times), 'DLV-4');
  },
  hint: 'An exception of the HTTP client is a failed attempt like any other, whichever it is (a reset, an empty reply, a head that broke off, what is no HTTP): catch it where the status is judged, and plan the retry.',
});

/** Section 4.4 with GAP-17: whenever the service's time limit ends, a retry follows. */
const timeOut = serviceCheck<Stalling>({
  id: 'service/connections/time-out',
  title: 'sends again when no answer came in time, or none that ended',
  requirements: ['DLV-4', 'STA-5'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant({ do: 'hang' }), fc.constant({ do: 'trickle', status: 500, every: 100, bytes: 36_000 })],
  run: async (kit, step) => {
    const beside = step.do === 'hang' ? undefined : await kit.register({ script: acceptAfter(1, hang, kit.contract) });
    const others = beside ? [] : await kit.registerMany(2, () => ({ script: acceptAfter(1, step, kit.contract) }));
    const times = beside ? 1 : inARow;
    const delivery = await firstDelivery(kit, { script: acceptAfter(times, step, kit.contract) });
    const { first, notified, triggered } = delivery;
    const given = beside && (await delivered(kit, beside, triggered));
    const isLate = (): boolean => given !== undefined && kit.elapsed() - first.at > patience(given);
    const over = await kit.until(
      async () => (given ? undefined : first.end) ?? (notified.attempts.length > 1 || isLate() || undefined),
    );
    if (over === undefined) {
      throw new OutOfTime(
        'the service was still waiting for an answer at the end of the retry window. How long it may is not described (GAP-17): give a longer --retry-window, or its HTTP client a time-out if it has none',
      );
    }
    if (given === undefined) {
      const missing = await expectAttempt(kit, delivery, 2, { requirement: 'DLV-4', after: describeStep(step) });
      learnTimeOut(kit, [first, ...others.flatMap(({ endpoint }) => endpoint.caught.slice(0, 1))]);
      return missing ?? expectAllInARow(kit, delivery);
    }
    return notified.attempts.length > 1 ? undefined : neverOver(kit, first, given, step);
  },
  hint:
    'Give every attempt a time-out that holds until its answer has been read, and treat it as a failed attempt. Without ' +
    'one, a receiver that hangs, or whose answer does not end, holds its notification for ever. Several time-outs in a row are no ' +
    'reason to give up before the last retry.',
});

/** Time-outs in a row, so many that a service which counts them apart from other failures gives up. */
const inARow = 4;

/** Each retry that no answer follows is followed by another, where the retry window has room for all of them. */
async function expectAllInARow(kit: ServiceKit, delivery: FirstDelivery) {
  const [first, second] = delivery.notified.attempts;
  if (second === undefined || (second.at - first.at) * (inARow + 1) > kit.window) return undefined;
  const after = 'no answer at all, as those before it';
  for (let number = 3; number <= inARow + 1; number++) {
    const missing = await expectAttempt(kit, delivery, number, { requirement: 'STA-5', after });
    if (missing) return missing;
  }
  return undefined;
}

type Stalling = Extract<CatchStep, { do: 'hang' | 'trickle' }>;

const hang: CatchStep = { do: 'hang' };

/** Milliseconds for which no answer is read on, by when a delivery that was not answered at all was sent again. */
function patience({ attempts: [first, second] }: Notified): number {
  return first === undefined || second === undefined ? Infinity : 5000 + 5 * (second.at - first.at);
}

function neverOver(kit: ServiceKit, first: Caught, { attempts }: Notified, step: CatchStep) {
  const [unanswered, again] = [itemOf(attempts, 0), itemOf(attempts, 1)];
  const [waited, usual] = [kit.elapsed() - first.at, again.at - unanswered.at].map((ms) => Math.round(ms));
  return finding('DLV-4', {
    expected: `a retry: ${step.do === 'trickle' ? step.status : 'the status'} is no accepting status, and each attempt has its time`,
    actual: `none came within ${waited} ms of ${describeStep(step)}. A delivery without any answer was sent again after ${usual} ms`,
    absence: true,
    // The kit lets far more time pass than the service took elsewhere. Where the kit is late, more still.
    hangsOnTime: false,
    exchanges: [first, again],
  });
}

/** A service that is busy may send late, and give up as if it had not: the one that was waited for longest says most. */
function learnTimeOut(kit: ServiceKit, unanswered: readonly Caught[]): void {
  const times = unanswered.flatMap(({ at, end }) => (end?.kind === 'abandoned' ? [end.at - at] : []));
  if (times.length === 0) return;
  const ms = Math.max(...times);
  const evidence = `the service gave up an unanswered delivery after ${Math.round(ms)} ms, the longest of ${times.length}`;
  kit.learn('delivery.timeout', usualDuration(ms), evidence);
}

/** Section 4.4: what could not be connected to is tried again. */
const refusedConnection = serviceCheck<{ readonly status: number }>({
  id: 'service/connections/refused',
  title: 'sends again after a refused connection, and notifies other webhooks all the same',
  requirements: ['DLV-4', 'DLV-6'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'singly' },
  // What another case made to happen would arrive once connections are taken, and look like the retry.
  weight: 0.03,
  cases: () => [fc.constant({ status: 503 })],
  run: async (kit, { status }) => {
    const webhook = await kit.register({ refusing: true });
    const distrusted = await registeredDistrusted(kit);
    const neighbour = await kit.register({ script: [refuse(status)] });
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    if (!(await isNotified(kit, neighbour, triggered))) return unheardBeside(webhook, neighbour, triggered);
    const shown = await delivered(kit, neighbour, triggered);
    // By the first retry elsewhere, the first attempt here was refused.
    await kit.untilAttempt(shown, 2);
    await webhook.open();
    const opened = kit.elapsed();
    await untilTwoMore(kit, shown, opened);
    for (const each of distrusted) observeTrust(kit, each);
    const [caught] = await kit.untilCaught(webhook.endpoint);
    if (caught !== undefined) return undefined;
    if (await isInactive(kit, webhook).catch(unlessUnobservable)) throw new Unproven(switchedOff);
    const later = shown.attempts.filter(({ at }) => at > opened).slice(0, 2);
    if (opened - triggered.at > kit.contract.delivery.retries * pauseBetween(later))
      throw new Unproven('retries elsewhere came so late that all of them may have been over here by then');
    return finding('DLV-4', {
      expected: 'a delivery whose connection was refused is tried again',
      actual: 'nothing came once connections were taken, while a refused delivery to another webhook was retried twice',

      absence: true,
      exchanges: [webhook.creation, ...later],
    });
  },
  hint: 'A refused connection (ECONNREFUSED) is what a receiver under deployment looks like: count it as a failed attempt and retry.',
});

/** @throws Unproven where nobody heard of it, so that it may not have happened */
function unheardBeside(
  { creation }: Webhook,
  neighbour: Webhook,
  { event, monitored }: TriggeredEvent,
): ServiceFinding {
  const [heard] = monitored;
  if (heard === undefined) throw new Unproven(`nothing came of ${event}, to nobody`);
  return finding('DLV-6', {
    expected: `${event} reaches a webhook, although another one, registered before it, takes no connection`,
    actual: 'nothing came to it, while a webhook that had been registered before both was notified',
    absence: true,
    exchanges: [creation, neighbour.creation, heard.attempts[0]],
    hint: 'One webhook that cannot be reached ends the loop over all that subscribe, so that those behind it hear nothing. Store a notification for each of them first, and let each be delivered, and fail, by itself.',
  });
}

/** Each flaw in words, to follow "a certificate that". */
const flaws: Readonly<Record<CertificateFlaw, string>> = {
  untrusted: 'nobody trusts',
  expired: 'has expired',
  misnamed: 'is for another host',
};

/** The checks of this topic, in the order in which they run and are listed. */
export const connectionsChecks: readonly ServiceCheck[] = [brokenConnection, timeOut, refusedConnection];

/** Two attempts at a neighbour that came while connections were taken show that two were due here as well. */
async function untilTwoMore(kit: ServiceKit, shown: Notified, since: number): Promise<void> {
  const isEnough = (): boolean => shown.attempts.filter(({ at }) => at > since).length >= 2;
  await kit.until(async () => isEnough() || kit.isOverdue(shown) || undefined);
  if (isEnough()) return;
  if (kit.isOverdue(shown)) throw new Unproven('the retries were over before connections were taken');
  throw new OutOfTime('the retries had not come within the retry window: give a longer --retry-window');
}

/** Milliseconds. What comes sooner after a refused connection than after an answer has its retries behind it sooner, too. */
function pauseBetween([one, other]: readonly Caught[]): number {
  return one === undefined || other === undefined ? 0 : other.at - one.at;
}

/** An endpoint with a flawed certificate, at which a webhook is registered. */
interface Distrusted {
  readonly flaw: CertificateFlaw;
  readonly endpoint: EndpointElsewhere;
}

/** Registers a webhook for each flaw that the kit can play and that the service takes the url of. */
async function registeredDistrusted(kit: ServiceKit): Promise<readonly Distrusted[]> {
  const all = await Promise.all((Object.keys(flaws) as CertificateFlaw[]).map((flaw) => registered(kit, flaw)));
  return all.flatMap((each) => each ?? []);
}

async function registered(kit: ServiceKit, flaw: CertificateFlaw): Promise<Distrusted | undefined> {
  const endpoint = await kit.endpointElsewhere(flaw).catch(unlessUnobservable);
  if (endpoint === undefined) return undefined;
  const creation = await kit.call('create', { body: kit.creation(kit.plainAttributes(endpoint.url)) });
  return kit.succeeded(creation) && kit.adopt(creation, endpoint) ? { flaw, endpoint } : undefined;
}

/**
 * Observes whether deliveries go out to an endpoint with such a certificate. The contract asks for an HTTPS endpoint and
 * says no more. Where the service made no connection, nothing was seen.
 */
function observeTrust(kit: ServiceKit, { flaw, endpoint: { caught, connections } }: Distrusted): void {
  if (connections === 0) return;
  const goesOut = caught.length > 0 ? 'a delivery goes' : 'no delivery goes';
  const evidence = `${counted(connections, 'connection')} brought ${counted(caught.length, 'request')}`;
  kit.observe('CRW-6', `${goesOut} to an https endpoint with a certificate that ${flaws[flaw]}`, evidence);
}
