import fc from 'fast-check';

import { OutOfTime, serviceCheck, type ServiceFinding, Unproven, type ServiceCheck } from '../../check.ts';
import type { TriggeredEvent, ServiceKit, Webhook, Notified } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { isTakenBy } from '../../../generators/calls/plainBody.ts';
import { delivered } from '../firstDelivery.ts';
import { isInactive } from '../isInactive.ts';
import { accept, acceptAfter, refuse } from '../steps.ts';
import { counted, itemOf } from '../../items.ts';
import { expectAllListed } from '../lists/allListed.ts';
import { exhaustedHoldsUpNobody, expectAll, untilStill } from './notHeldUp.ts';
import { isSpent } from '../redelivery.ts';
import { refusedOnce, withoutRetry } from '../retriedTogether.ts';
import { judgeSignature, signingHint } from '../signing.ts';
import { usedAgain } from '../usedAgain.ts';

/** More than a hundred, where many a list ends. */
const amounts = { quick: 110, standard: 220, thorough: 440 } as const;

/** Section 6: how many subscribe does not matter. */
const hundreds = serviceCheck<{ readonly webhooks: number }>({
  id: 'service/load/hundreds-of-webhooks',
  title:
    'notifies hundreds of webhooks of one event, each under its own secret, lists all of it, and sends again what they refuse',
  requirements: ['DLV-6', 'WHK-9', 'SIG-1', 'SIG-2', 'LST-1', 'LST-2', 'NTF-2', 'WHK-8', 'DLV-3'],
  needs: ['event'],
  schedule: { kind: 'alone' },
  weight: 0.01,
  cases: ({ intensity }) => [fc.constant({ webhooks: amounts[intensity] })],
  run: async (kit, { webhooks }) => {
    const known = kit.monitored();
    const script = refusedOnce(kit);
    const all = await kit.registerMany(webhooks, () => ({ events: [kit.scenarioEvents[0]], script }));
    const shared = sharedSecret(kit, all);
    if (shared) return shared;
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const unheard = await expectAll(kit, { all, triggered });
    if (unheard) return unheard;
    const unsigned = wrongSignature(kit, all);
    if (unsigned) return unsigned;
    const came = all.flatMap(({ endpoint }) => kit.notifications(endpoint));
    const again = usedAgain(kit, known, came);
    if (again) return again;
    const notified = came.map(({ id }) => id).filter((id) => id !== '');
    const ids = all.map(({ id }) => id);
    return (
      (await expectAllListed(kit, 'list', ids)) ??
      (await expectAllListed(kit, 'notifications', notified)) ??
      (await expectRetried(kit, all)) ??
      wrongSignature(kit, all)
    );
  },
  hint:
    'Fan out in a queue, not in the request that caused the event, and fetch all webhooks, not the first page of them. Take ids from ' +
    'a source that does not repeat itself. Let ' +
    'nothing fall off the end of a list: a page has a limit and a link to the next one, and the whole list has none.',
});

/** How each attempt that came is signed. */
function wrongSignature(kit: ServiceKit, all: readonly Webhook[]): ServiceFinding | undefined {
  for (const [place, webhook] of all.entries()) {
    const others = [1, all.length - 1].map((away) => itemOf(all, (place + away) % all.length));
    for (const caught of webhook.endpoint.caught) {
      const found = judgeSignature(kit, caught, { webhook, others });
      if (found) return { ...found, hint: signingHint };
    }
  }
  return undefined;
}

/** What all of them refused at the same time comes to each of them again. */
async function expectRetried(kit: ServiceKit, all: readonly Webhook[]): Promise<ServiceFinding | undefined> {
  const without = await withoutRetry(kit, all);
  if (without === undefined) return undefined;
  const { webhook, count, twin } = without;
  return finding('DLV-3', {
    expected: `what ${counted(all.length, 'webhook')} refused at the same time is sent to each of them again`,
    actual: `${count} of them got no retry, and the others did`,
    exchanges: [webhook.creation, ...webhook.endpoint.caught.slice(0, 1)],
    twin,
    absence: true,
    hint:
      'Keep every retry until its outcome is stored, however many are due at once: a queue that is full must not drop what ' +
      'is put into it, and a sweep has to come back to what it had no room for.',
  });
}

/** What is made of the time repeats itself among webhooks that are created at the same moment, and among few it may not. */
function sharedSecret({ contract }: ServiceKit, all: readonly Webhook[]): ServiceFinding | undefined {
  if (isTakenBy(contract, 'create', 'secret')) return undefined;
  const secrets = all.map(({ secret }) => secret);
  const place = secrets.findIndex((secret, index) => typeof secret === 'string' && secrets.indexOf(secret) < index);
  if (place < 0) return undefined;
  const [first, second] = [itemOf(all, secrets.indexOf(secrets[place])), itemOf(all, place)];
  return finding('WHK-8', {
    expected: `a secret of its own for each of ${all.length} webhooks`,
    actual: 'two of them, created at about the same time, have one secret',
    exchanges: [first.creation, second.creation],
    hint: 'Take secrets from the random source of the system: a generator that is seeded with the time gives two webhooks of one moment the same, and everybody who knows the time can guess it.',
  });
}

/** Milliseconds, as a receiver hangs whose database is locked. */
const hangs = 3000;

/** Section 6 with GAP-17: receivers that hang cost themselves time, not the others their notifications. */
const slowBesideFast = serviceCheck<{ readonly slow: number; readonly fast: number }>({
  id: 'service/load/slow-beside-fast',
  title: 'delivers to fast receivers while others hang, and goes on when those were given up',
  requirements: ['DLV-6'],
  needs: ['event'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  // Enough that one worker, who waits for each of them in turn, comes to the fast ones after the retry window.
  cases: ({ intensity }) => [fc.constant({ slow: { quick: 5, standard: 20, thorough: 20 }[intensity], fast: 20 })],
  run: async (kit, { slow, fast }) => {
    const others = await kit.registerMany(slow, () => ({
      events: [kit.scenarioEvents[0]],
      script: [{ do: 'hang', ms: hangs }, accept(kit.contract)],
    }));
    const all = await kit.registerMany(fast, () => ({ events: [kit.scenarioEvents[0]] }));
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const unheard = await expectAll(kit, { all, triggered, slow: others });
    if (unheard) return unheard;
    const slowest = Math.max(...all.map(({ endpoint }) => itemOf(endpoint.caught, 0).at - triggered.at));
    const evidence = `${fast} receivers that answer at once, beside ${slow} that hang for ${hangs / 1000} s`;
    kit.observe('GAP-18', `the slowest first delivery came after ${Math.round(slowest)} ms`, evidence);
    await kit.soon(() => others.every(({ endpoint }) => endpoint.caught.length > 1) || undefined, hangs + 1000);
    const later = await kit.registerMany(2, () => ({ events: [kit.scenarioEvents[0]] }));
    return expectAll(kit, { all: later, triggered: await kit.trigger(kit.scenarioEvents[0]) });
  },
  hint: 'Send concurrently, with a limit for each receiver and not only one for all, so that a receiver that hangs occupies its own place alone.',
});

interface Backlog {
  /** Attempts at the first notification before more happens. */
  readonly attempts: number;
  /** How often something else happens then, where it can be emitted. Default 1. */
  readonly more?: number;
}

/** A webhook that refuses and one that does not, and what both should hear of. */
interface Scene {
  readonly refusing: Webhook;
  readonly other: Webhook;
  /** What was refused before anything else happened. */
  readonly refused: Notified;
  readonly event: string;
  /** Milliseconds of the run before it happened for the first time. */
  readonly from: number;
  /** How often it was made to happen. */
  readonly times: number;
  /** How often the monitor had been notified of it before. */
  readonly before: number;
}

/** Sections 3.1 and 6: however much is refused, nothing that happens meanwhile is lost. */
export const refusedHoldsUpNobody = serviceCheck<Backlog>({
  id: 'service/load/refused-holds-up-nobody',
  title:
    'notifies a webhook of all that happens while its notifications are refused, and sends each again until it is accepted',
  requirements: ['DLV-6', 'DLV-3'],
  about: ['retries'],
  needs: ['event'],
  // Beside others more would happen only when all retries are over.
  schedule: { kind: 'singly' },
  weight: 0.03,
  cases: () => [fc.record({ attempts: fc.constant(2), more: fc.constant(10) })],
  run: async (kit, { attempts, more = 1 }) => {
    const [first, event] = kit.scenarioEvents;
    const events = [...new Set([first, event])];
    // Enough that several are pending when the first one is accepted, also where the pauses between attempts are short.
    const few = Math.min(3, kit.contract.delivery.retries);
    const [refusing, other, recovering] = await Promise.all([
      kit.register({ events, meanwhile: [refuse()] }),
      kit.register({ events }),
      kit.register({ events, script: acceptAfter(few, refuse(), kit.contract) }),
    ]);
    const triggered = await kit.trigger(first);
    const refused = await delivered(kit, refusing, triggered);
    if (!(await kit.untilAttempt(refused, attempts))) throw new Unproven('it was not retried');
    if (isSpent(kit, refused)) throw new Unproven(`all attempts of ${first} were over before anything else happened`);
    const times = triggered.by === 'emit' ? more : 1;
    const [from, before] = [kit.elapsed(), kit.monitored(event).length];
    for (let time = 0; time < times; time++) await kit.raise(event);
    const found = await judged(kit, { refusing, other, refused, event, from, times, before }, triggered);
    return found ?? expectRetries(kit, recovering);
  },
  hint: 'A queue whose head is refused must go on with what stands behind it: schedule each notification by its own next attempt, and drop nothing because something is pending.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const loadChecks: readonly ServiceCheck[] = [
  refusedHoldsUpNobody,
  exhaustedHoldsUpNobody,
  slowBesideFast,
  hundreds,
];

async function judged(kit: ServiceKit, scene: Scene, triggered: TriggeredEvent): Promise<ServiceFinding | undefined> {
  const { refusing, other, refused, event, times } = scene;
  const overdueTime = kit.overdueAfter({ took: refused.attempts[0].at - triggered.at, timeout: 0 });
  const all = () => [other, refusing].every((webhook) => notificationsOf(kit, scene, webhook).length >= times);
  await kit.soon(() => all() || undefined, triggered.by === 'emit' ? overdueTime : kit.window);
  if (all()) return undefined;
  const happened = timesKnown(kit, scene);
  if (happened === 0) throw new Unproven(`no notification of ${event} came, not even to a webhook that accepts all`);
  if (notificationsOf(kit, scene, other).length < happened) return lost(kit, scene, other);
  const isMissing = () => notificationsOf(kit, scene, refusing).length < timesKnown(kit, scene);
  if (isMissing()) {
    await untilNothingIsRefused(kit, refusing);
    await untilStill(
      kit,
      [refusing],
      () => !isMissing(),
      () => overdueTime,
    );
  }
  return isMissing() && !(await isInactive(kit, refusing)) ? lost(kit, scene, refusing) : undefined;
}

/** What came to a webhook of what happened meanwhile. */
function notificationsOf(kit: ServiceKit, { event, from }: Scene, { endpoint }: Webhook): readonly Notified[] {
  return kit.notifications(endpoint).filter((each) => each.event === event && each.attempts[0].at >= from);
}

/** How often it happened, as the webhook shows that was notified most often. */
function timesKnown(kit: ServiceKit, scene: Scene): number {
  const notified = [scene.other, scene.refusing].map((webhook) => notificationsOf(kit, scene, webhook).length);
  return Math.max(kit.monitored(scene.event).length - scene.before, ...notified);
}

/**
 * Lets the webhook accept everything from now on, and waits until all that it refused is over: a queue may keep the
 * order of what happened, and then the rest comes only now.
 *
 * @throws OutOfTime where the retry window ended first
 */
async function untilNothingIsRefused(kit: ServiceKit, refusing: Webhook): Promise<void> {
  await refusing.open();
  const isOver = () =>
    kit.notifications(refusing.endpoint).every((each) => isSpent(kit, each) || isAccepted(kit, each));
  if (!(await kit.until(async () => isOver() || undefined)) && !(await isInactive(kit, refusing)))
    throw new OutOfTime('what had been refused was not yet sent again, and the rest may wait for it');
}

/** What a webhook refused has to come again, although it accepted another notification meanwhile. */
async function expectRetries(kit: ServiceKit, recovering: Webhook): Promise<ServiceFinding | undefined> {
  const all = () => kit.notifications(recovering.endpoint);
  // A queue that keeps the order of what happened sends it again once it has given up what stands before it.
  const accepted = await kit.soon(() => all().find((each) => isAccepted(kit, each)), kit.window);
  if (accepted === undefined) throw new Unproven('no retry was accepted in time: what came of the others is not known');
  const span = (accepted.attempts.at(-1)?.at ?? 0) - accepted.attempts[0].at;
  const isOver = () => all().every((each) => isAccepted(kit, each));
  await untilStill(kit, [recovering], isOver, () => kit.overdueAfter({ took: span, timeout: 0 }));
  const missing = all().find((each) => !isAccepted(kit, each));
  if (all().some(({ id }) => id === ''))
    throw new Unproven('some of what came shows no id, so that nobody knows what was not sent again');
  if (missing === undefined || (await isInactive(kit, recovering))) return undefined;
  return finding('DLV-3', {
    expected: 'what was refused is sent again, also where another notification to the webhook is accepted meanwhile',
    actual: `no attempt came after attempt ${missing.attempts.length}`,
    exchanges: [recovering.creation, ...missing.attempts.slice(-1), ...accepted.attempts.slice(-1)],
    absence: true,
  });
}

function isAccepted(kit: ServiceKit, { attempts }: Notified): boolean {
  const step = attempts.at(-1)?.step;
  return step?.do === 'respond' && kit.contract.delivery.acceptedStatuses.includes(step.status);
}

function lost(kit: ServiceKit, scene: Scene, webhook: Webhook): ServiceFinding {
  const { refusing, refused, event, other } = scene;
  const whose =
    webhook === refusing ? 'it refused what happened before' : 'another webhook refused what happened before';
  const notified = notificationsOf(kit, scene, webhook).length;
  const shown =
    notificationsOf(kit, scene, webhook === refusing ? other : refusing)
      .at(-1)
      ?.attempts.slice(0, 1) ?? [];
  return finding('DLV-6', {
    expected: `the webhook hears of ${event} each time that it happens, although ${whose}`,
    actual: `it was notified ${counted(notified, 'time')}, while ${event} happened ${counted(timesKnown(kit, scene), 'time')}`,
    exchanges: [webhook.creation, ...refused.attempts.slice(-1), ...shown],
    absence: true,
  });
}
