import fc from 'fast-check';

import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { TriggeredEvent, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { delivered } from '../firstDelivery.ts';
import { isInactive } from '../isInactive.ts';
import { refuse } from '../steps.ts';

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
  title: 'tells a webhook of all that happens while its notifications are refused',
  requirements: ['DLV-6'],
  needs: ['event'],
  schedule: { kind: 'singly' },
  // Beside others more would happen only when all retries are over.
  weight: 0.03,
  cases: () => [fc.record({ attempts: fc.constant(2), more: fc.constant(10) })],
  run: async (kit, { attempts, more = 1 }) => {
    const [first, event] = kit.scenarioEvents;
    const events = [...new Set([first, event])];
    const [refusing, other] = await kit.registerMany(2, (place) => ({
      events,
      ...(place === 0 && { meanwhile: [refuse()] }),
    }));
    const triggered = await kit.trigger(first);
    const refused = await delivered(kit, refusing!, triggered);
    await kit.untilAttempt(refused, attempts);
    if (isSpent(kit, refused)) throw new Unproven(`all attempts of ${first} were over before anything else happened`);
    const times = triggered.by === 'emit' ? more : 1;
    const [from, before] = [kit.elapsed(), kit.monitored(event)];
    for (let time = 0; time < times; time++) await kit.raise(event);
    return judged(kit, { refusing: refusing!, other: other!, refused, event, from, times, before }, triggered);
  },
  hint: 'A queue whose head is refused must go on with what stands behind it: schedule each notification by its own next attempt, and drop nothing because something is pending.',
});

async function judged(kit: ServiceKit, scene: Scene, triggered: TriggeredEvent): Promise<ServiceFinding | undefined> {
  const { refusing, other, refused, event, times } = scene;
  const overdueTime = kit.overdueAfter({ took: refused.attempts[0]!.at - triggered.at, timeout: 0 });
  const all = () => [other, refusing].every((webhook) => notificationsOf(kit, scene, webhook).length >= times);
  await kit.soon(() => all() || undefined, triggered.by === 'emit' ? overdueTime : kit.window);
  if (all()) return undefined;
  const happened = timesKnown(kit, scene);
  if (happened === 0) throw new Unproven(`no notification of ${event} came, not even to a webhook that accepts all`);
  if (notificationsOf(kit, scene, other).length < happened) return lost(kit, scene, other);
  const isMissing = () => notificationsOf(kit, scene, refusing).length < timesKnown(kit, scene);
  if (isMissing()) await untilNothingIsRefused(kit, refusing);
  return isMissing() && !(await isInactive(kit, refusing)) ? lost(kit, scene, refusing) : undefined;
}

/** What came to a webhook of what happened meanwhile. */
function notificationsOf(kit: ServiceKit, { event, from }: Scene, { endpoint }: Webhook): readonly Notified[] {
  return kit.notifications(endpoint).filter((each) => each.event === event && each.attempts[0]!.at >= from);
}

/** How often it happened, as the webhook shows that was told most often. */
function timesKnown(kit: ServiceKit, scene: Scene): number {
  const notified = [scene.other, scene.refusing].map((webhook) => notificationsOf(kit, scene, webhook).length);
  return Math.max(kit.monitored(scene.event) - scene.before, ...notified);
}

/**
 * Lets the webhook accept everything from now on, and waits until all that it refused is over: a queue may keep the
 * order of what happened, and then the rest comes only now.
 *
 * @throws Unproven where the retry window ended first
 */
async function untilNothingIsRefused(kit: ServiceKit, refusing: Webhook): Promise<void> {
  await refusing.open();
  const isOver = () =>
    kit.notifications(refusing.endpoint).every((each) => isSpent(kit, each) || isAccepted(kit, each));
  if (!(await kit.until(async () => isOver() || undefined)) && !(await isInactive(kit, refusing)))
    throw new Unproven('what had been refused was not yet sent again, and the rest may wait for it');
  await kit.settle();
}

function isSpent(kit: ServiceKit, { attempts }: Notified): boolean {
  return attempts.length > kit.contract.delivery.retries;
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
  return broken('DLV-6', {
    expected: `the webhook hears of ${event} each time that it happens, although ${whose}`,
    actual: `it was told ${notified} time(s), while ${event} happened ${timesKnown(kit, scene)} time(s)`,
    exchanges: [webhook.creation, ...refused.attempts.slice(-1), ...shown],
    absence: true,
  });
}
