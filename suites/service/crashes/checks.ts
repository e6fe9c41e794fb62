import { serviceCheck, type ServiceCheck } from '../../check.ts';
import { crashSchedule, type CrashSchedule } from './crashSchedule.ts';
import { judgeSurvival } from './judgedSurvival.ts';
import { playCrashes } from './playedCrashes.ts';

/** What each of these checks can show, beside what is lost. */
const requirements = ['DLV-7', 'NTF-3', 'NTF-7', 'STA-2', 'WHK-9', 'SIG-1', 'SIG-2'] as const;

/** Webhooks that are told of one event, where a crash meets the service at work. */
const load = 20;

/** What the checks of this file have in common. */
function crashCheck(
  own: Pick<ServiceCheck<CrashSchedule>, 'id' | 'title' | 'cases' | 'hint' | 'weight'>,
  raised: 'before' | 'after' = 'before',
): ServiceCheck {
  return serviceCheck<CrashSchedule>({
    requirements,
    needs: ['life', 'event'],
    waits: true,
    disturbs: true,
    timed: true,
    fatal: 'DLV-7',
    ...own,
    run: async (kit, schedule) => judgeSurvival(kit, await playCrashes(kit, schedule, raised)),
  });
}

/** Section 6 across a crash: what waits for its retry is stored, with all that it takes to send it. */
export const pending = crashCheck({
  id: 'service/crashes/pending',
  title: 'delivers after a restart what was waiting for a retry, as the same notification',
  weight: 0.25,
  cases: () => [
    crashSchedule({ how: 'kill', listeners: ['refuses'], after: [1, 1] }),
    crashSchedule({ how: 'stop', listeners: ['refuses'], after: [1, 1] }),
    crashSchedule({ how: 'kill', listeners: ['is-closed'], after: [0, 0] }),
    crashSchedule({ how: 'kill', listeners: ['refuses', 'accepts'], webhooks: 6, crashes: 3, after: [1, 6] }),
  ],
  hint: 'Store a notification, its attempts and the time of the next one in the database, and read them when the process starts. A queue in memory, a timer, or a job that was acknowledged too early ends with the process.',
});

/** The same for what was being sent when the process ended. */
export const inFlight = crashCheck({
  id: 'service/crashes/in-flight',
  title: 'delivers after a restart what was being sent when the service ended',
  weight: 0.15,
  cases: () => [
    crashSchedule({ how: 'kill', listeners: ['hangs'], after: [1, 1] }),
    crashSchedule({ how: 'stop', listeners: ['hangs'], after: [1, 1] }),
    crashSchedule({ how: 'kill', listeners: ['hangs', 'refuses'], webhooks: 6, crashes: 2, after: [1, 6] }),
  ],
  hint: 'An attempt whose end was not stored is one that failed: plan the next one when the process starts. Mark a notification as done in the transaction that records its acceptance, never before, and give what a worker had claimed back.',
});

/** The same for what had only just been confirmed. */
export const justRaised = crashCheck({
  id: 'service/crashes/just-raised',
  title: 'delivers what had happened, also where the service ends right after it confirmed that',
  weight: 0.25,
  cases: () => [
    crashSchedule({ how: 'kill', listeners: ['accepts'], after: [0, 0] }),
    crashSchedule({ how: 'stop', listeners: ['accepts'], after: [0, 0] }),
    crashSchedule({ how: 'kill', listeners: ['accepts', 'refuses'], webhooks: load, after: [0, 3] }),
  ],
  hint: 'Store the notifications of all webhooks in the transaction that records what happened, and answer after its commit: an outbox, not a list in memory.',
});

/** Sections 2.1 and 6: a webhook that was created is there until it is deleted. */
export const webhooks = crashCheck(
  {
    id: 'service/crashes/webhooks',
    title: 'keeps webhooks with their secrets across a restart, and goes on to deliver to them',
    weight: 0.1,
    cases: () => [
      crashSchedule({ how: 'kill', listeners: ['accepts'], webhooks: 5, after: [0, 0] }),
      crashSchedule({ how: 'stop', listeners: ['accepts'], webhooks: 5, after: [0, 0] }),
    ],
    hint: 'Store webhooks and their secrets before the creation is answered, and read them from there for each delivery, not from a list that was filled once.',
  },
  'after',
);
