import {
  serviceCheck,
  type ServiceCheck,
  OutOfTime,
  Unobservable,
  Unproven,
  type ServiceFinding,
} from '../../check.ts';
import {
  crashSchedule,
  type CrashSchedule,
  playCrashes,
  acceptedBy,
  type Neighbour,
  type Played,
  slowNeighbour,
  type Survivor,
} from './playedCrashes.ts';
import type { Notified, ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { changedByRestart } from './sameAfterRestart.ts';
import { counted, finished } from './crashedAttempts.ts';
import { listedAfterwards } from './listed.ts';
import { keptUpdates } from './updates.ts';
import { usedAgain } from '../usedAgain.ts';
import { itemOf } from '../../items.ts';

/** What each of these checks can show, beside what is lost. */
const requirements = ['DLV-7', 'NTF-3', 'NTF-7', 'STA-2', 'WHK-9', 'SIG-1', 'SIG-2'] as const;

/** Webhooks that are notified of one event, where a crash meets the service at work. */
const load = 20;

/**
 * What the checks of this file have in common. Their schedules with several crashes, and those with many webhooks, are variants
 * of a simple one: of a service whose starts take long, one of them is tried, because each crash costs a start.
 */
function crashCheck(
  own: Pick<ServiceCheck<CrashSchedule>, 'id' | 'title' | 'cases' | 'hint' | 'weight'>,
  raised: 'before' | 'after' = 'before',
): ServiceCheck {
  return serviceCheck<CrashSchedule>({
    requirements: raised === 'after' ? [...requirements, 'WHK-10', 'NTF-2'] : requirements,
    needs: ['process-control', 'event'],
    schedule: { kind: 'interrupting', timed: true },
    fatal: 'DLV-7',
    ...own,
    run: async (kit, schedule) => {
      const known = kit.monitored();
      const played = await playCrashes(kit, schedule, raised);
      return (await judgeSurvival(kit, played)) ?? (raised === 'after' ? namedAnew(kit, known, played) : undefined);
    },
  });
}

/** Section 6 across a crash: what waits for its retry is stored, with all that it takes to send it. */
const pending = crashCheck({
  id: 'service/crashes/pending',
  title: 'delivers after a restart what was waiting for a retry, as the same notification',
  weight: 0.25,
  cases: () => [
    [
      crashSchedule({ how: 'kill', listeners: ['refuses'], after: [1, 1] }),
      crashSchedule({ how: 'kill', listeners: ['refuses', 'accepts'], webhooks: 6, crashes: 3, after: [1, 6] }),
    ],
    crashSchedule({ how: 'stop', listeners: ['refuses'], after: [1, 1] }),
    crashSchedule({ how: 'kill', listeners: ['is-closed'], after: [0, 0] }),
  ],
  hint: 'Store a notification, its attempts and the time of the next one in the database, and read them when the process starts. A queue in memory, a timer, or a job that was acknowledged too early ends with the process, and what a worker has claimed must become free when it dies.',
});

/** The same for what was being sent when the process ended. */
const inFlight = crashCheck({
  id: 'service/crashes/in-flight',
  title: 'delivers after a restart what was being sent when the service ended',
  weight: 0.15,
  cases: () => [
    [
      crashSchedule({ how: 'kill', listeners: ['hangs'], after: [1, 1] }),
      crashSchedule({ how: 'kill', listeners: ['hangs', 'refuses'], webhooks: 6, crashes: 2, after: [1, 6] }),
    ],
    crashSchedule({ how: 'stop', listeners: ['hangs'], after: [1, 1] }),
  ],
  hint: 'An attempt whose end was not stored is one that failed: plan the next one when the process starts. Mark a notification as done in the transaction that records its acceptance, never before, and give back what a worker had claimed. If a claim ends with time, let it end within the time that --retry-window gives.',
});

/** The same for what had only just been confirmed. */
const justRaised = crashCheck({
  id: 'service/crashes/just-raised',
  title: 'delivers what had happened, also where the service ends right after it confirmed that',
  weight: 0.25,
  cases: () => [
    [
      crashSchedule({ how: 'kill', listeners: ['accepts'], after: [0, 0] }),
      crashSchedule({ how: 'kill', listeners: ['accepts', 'refuses'], webhooks: load, after: [0, 3] }),
    ],
    crashSchedule({ how: 'stop', listeners: ['accepts'], after: [0, 0] }),
  ],
  hint: 'Store the notifications of all webhooks in the transaction that records what happened, and answer after its commit: an outbox, not a list in memory.',
});

/** Sections 2.1 and 6: a webhook that was created is there until it is deleted. */
const webhooks = crashCheck(
  {
    id: 'service/crashes/webhooks',
    title:
      'keeps webhooks with their secrets and custom headers across a restart, and goes on to deliver to them under new ids',
    weight: 0.1,
    cases: () => [
      crashSchedule({ how: 'kill', listeners: ['accepts'], webhooks: 5, after: [0, 0] }),
      crashSchedule({ how: 'stop', listeners: ['accepts'], webhooks: 5, after: [0, 0] }),
    ],
    hint: 'Store webhooks, with their secrets and custom headers, before the creation is answered, and read them from there for each delivery, not from a list that was filled once.',
  },
  'after',
);

/** The checks of this topic, in the order in which they run and are listed. */
export const crashesChecks: readonly ServiceCheck[] = [
  pending,
  inFlight,
  justRaised,
  webhooks,
  keptUpdates,
  counted,
  finished,
  listedAfterwards,
];

/** Milliseconds after a restart that are waited before a neighbour is asked how long it takes. */
const soon = 500;

/**
 * Whether everything that was there before the crashes has been delivered after them, and was still the same then.
 *
 * @throws Unproven where no neighbour shows how long that takes; OutOfTime where the retry window ends first
 */
async function judgeSurvival(kit: ServiceKit, played: Played): Promise<ServiceFinding | undefined> {
  const { survivors } = played;
  const open = () => survivors.filter(({ webhook }) => !acceptedBy(kit, webhook));
  const none = () => open().length === 0 || undefined;
  let neighbour: Neighbour | undefined;
  if (!(await kit.soon(none, soon))) {
    neighbour = await slowNeighbour(kit, refusalsOf(kit, open()));
    const timeLimit = kit.overdueAfter(neighbour);
    const done = await kit.soon(none, Math.min(timeLimit, kit.window));
    if (!done && timeLimit > kit.window) throw new OutOfTime(stillOpen(kit));
    const seen = { ...played, neighbour };
    const found = done ? undefined : await missing(kit, open, seen);
    if (found) return found;
  }
  for (const survivor of survivors) {
    const found = await changedByRestart(kit, survivor, { ...played, neighbour });
    if (found) return found;
  }
  return undefined;
}

/** Whether what happened after the restart goes by the id of something that had happened before the process ended. */
async function namedAnew(
  kit: ServiceKit,
  known: readonly Notified[],
  { triggered, survivors }: Played,
): Promise<ServiceFinding | undefined> {
  const monitored = () => kit.monitored(triggered.event).filter(({ attempts: [{ at }] }) => at >= triggered.at);
  await kit.soon(() => monitored()[0], soon);
  const came = [...monitored(), ...survivors.flatMap(({ webhook }) => kit.notifications(webhook.endpoint))];
  return usedAgain(kit, known, came);
}

/**
 * As often as what is waited for was refused: the pauses between attempts may grow. Of the attempts that a service makes, one
 * is left unanswered and one accepted.
 */
function refusalsOf({ contract }: ServiceKit, open: readonly Survivor[]): number {
  const seen = open.map(({ webhook }) => webhook.endpoint.caught.length);
  return Math.min(Math.max(1, ...seen), contract.delivery.retries - 1);
}

/**
 * Each end of the service may have cost an attempt, and at a closed endpoint attempts are not seen.
 *
 * @throws Unproven where all may have been made before anything could be accepted
 */
function mayBeGivenUp(
  { contract: { delivery } }: ServiceKit,
  open: readonly Survivor[],
  { triggered, opened, ends, neighbour }: Played & { readonly neighbour: Neighbour },
): void {
  const pause = neighbour.took / (neighbour.accepted.number - 1);
  const unseen = Math.ceil((2 * (opened - triggered.at)) / pause);
  const made = open.map(({ webhook, listener }) =>
    listener === 'is-closed' ? unseen : webhook.endpoint.caught.length,
  );
  if (Math.max(...made) + ends <= delivery.retries) return;
  throw new Unproven('its attempts may all have been made before anything could be accepted');
}

/** What is overdue after a crash, and does not come; nothing where a claim held it, and it came when that had ended. */
async function missing(
  kit: ServiceKit,
  open: () => readonly Survivor[],
  seen: Played & { readonly neighbour: Neighbour },
): Promise<ServiceFinding | undefined> {
  mayBeGivenUp(kit, open(), seen);
  const state = await stateOf(kit, itemOf(open(), 0).webhook);
  if (!isOver(kit, state) && (await kit.stillHeld(() => open().length === 0 || undefined))) return undefined;
  return lost(open(), seen, state);
}

/** What was there before a crash, and does not come after it. */
function lost(
  open: readonly Survivor[],
  { survivors, triggered, neighbour }: Played & { readonly neighbour: Neighbour },
  state: State,
): ServiceFinding {
  const { webhook } = itemOf(open, 0);
  const all = `${survivors.length} webhook${survivors.length === 1 ? '' : 's'}`;
  return finding('DLV-7', {
    expected: `what the service had taken before it ended is delivered after the restart: ${triggered.event}, to ${all}`,
    actual: `${open.length} of ${all} got nothing to accept${inWords(state)}, while a newer webhook was notified of what happened later`,
    exchanges: [webhook.creation, ...webhook.endpoint.caught.slice(-2)],
    twin: neighbour.accepted,
    difference: 'it was there before the service ended',
    absence: true,
  });
}

/** What the lists say of a webhook and of its notification, as far as they do. */
interface State {
  readonly isGone?: true;
  /** The status of its notification. */
  readonly listed?: unknown;
}

/** Whether the service itself says that nothing is to come any more. */
function isOver({ terms }: ServiceKit, { isGone, listed }: State): boolean {
  const { accepted, exhausted } = terms.notification?.statuses ?? {};
  return isGone === true || (listed !== undefined && [accepted, exhausted].some((status) => status === listed));
}

function inWords({ isGone, listed }: State): string {
  if (isGone) return '; the webhook itself is no longer listed';
  return listed === undefined ? '' : `; the notification is listed as ${JSON.stringify(listed)}`;
}

/** @throws Unproven where the service has switched the webhook off (GAP-5) */
async function stateOf(kit: ServiceKit, webhook: Survivor['webhook']): Promise<State> {
  try {
    const resource = await kit.current(webhook);
    if (resource === undefined) return { isGone: true };
    if (kit.member(resource, 'active') === false) throw new Unproven('the service has switched the webhook off');
    const id = webhook.endpoint.caught[0]?.key;
    return { listed: id === undefined ? undefined : (await kit.listed([id])).get(id)?.status };
  } catch (error) {
    if (error instanceof Unobservable) return {};
    throw error;
  }
}

function stillOpen({ window }: ServiceKit): string {
  return `what was pending may still come: it was waited for as long as retries are (${window / 1000} s); give a longer --retry-window`;
}
