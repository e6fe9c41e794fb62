import fc from 'fast-check';

import { OutOfTime, serviceCheck, type ServiceFinding, unlessUnobservable } from '../../check.ts';
import type { ListedNotification, Notified, ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { type Crash, crash, crashes, end, newNeighbour, notificationAt } from './playedCrashes.ts';
import { notRead } from '../creation.ts';
import { accept, refuse } from '../steps.ts';
import { itemOf } from '../../items.ts';
import { statusTerms } from '../../../spec/serviceTerms.ts';

/** Sections 3.1 and 8 across crashes: they may cost attempts, and never add any. */
export const counted = serviceCheck<readonly Crash[]>({
  id: 'service/crashes/attempts',
  title: 'counts the attempts before a restart, makes no more than the retries allow, and then marks it failed',
  requirements: ['STA-2', 'STA-3', 'DLV-7'],
  about: ['retries'],
  needs: ['process-control', 'event'],
  schedule: { kind: 'interrupting', timed: true },
  fatal: 'DLV-7',
  weight: 0.1,
  cases: ({ contract: { delivery } }) => [
    [crashes('kill', 1, [1, delivery.retries]), crashes('kill', 4, [1, delivery.retries])],
    crashes('stop', 2, [1, delivery.retries]),
  ],
  run: async (kit, schedule) => {
    const webhook = await kit.register({ events: [kit.scenarioEvents[0]], script: [refuse()] });
    const triggered = await kit.raise(kit.scenarioEvents[0]);
    for (const each of schedule) {
      await end(kit, each, [webhook]);
      await kit.processControl.start();
    }
    return exhausted(kit, await notificationAt(kit, webhook, triggered));
  },
  hint: 'Store the number of an attempt before it is made, in the row of the notification. A count in memory, or one that is stored after the answer, forgets attempts when the process ends.',
});

/** Waits until it is given up, and a little longer. */
async function exhausted(kit: ServiceKit, notified: Notified): Promise<ServiceFinding | undefined> {
  const { attempts, id } = notified;
  const most = kit.contract.delivery.retries + 1;
  let listed: ListedNotification | undefined;
  await kit.until(async () => {
    if (attempts.length > most) return true;
    listed = await look(kit, id);
    return isFailed(kit, listed) || (listed === undefined && attempts.length === most) || isTooSlow(kit, notified);
  });
  const given = attempts.length;
  if (given <= most && (isFailed(kit, listed) || given === most)) await kit.settle();
  if (attempts.length > most) {
    return finding('STA-2', {
      expected: `${most} attempts at most are made of a notification, restarts or not`,
      actual: `attempt ${most + 1} came`,
      exchanges: [attempts[0], ...attempts.slice(most - 1, most + 1)],
      hangsOnTime: true,
    });
  }
  if (isFailed(kit, listed) && attempts.length > given) {
    return finding('STA-3', {
      expected: 'nothing is sent of a notification that was given up',
      actual: `it was listed as ${String(listed?.status)}, and attempt ${given + 1} came after that`,
      exchanges: attempts.slice(given - 1, given + 1),
      hangsOnTime: true,
    });
  }
  if (isFailed(kit, listed) || listed === undefined) return undefined;
  if (given < most)
    throw new OutOfTime(
      `${given} of ${most} attempts came while retries were waited for: give a longer --retry-window`,
    );
  return finding('STA-2', {
    expected: `after attempt ${most}, the last, the notification is listed as ${statusTerms(kit.terms).exhausted}`,
    actual: `it is listed as ${JSON.stringify(listed.status)}`,
    exchanges: attempts.slice(-1),
    absence: true,
  });
}

/** At such a pace the attempts would not all come within the retry window. */
function isTooSlow(kit: ServiceKit, { attempts }: Notified): true | undefined {
  const since = kit.elapsed() - (attempts.at(-1)?.at ?? 0);
  return since > (2 * kit.window) / kit.contract.delivery.retries || undefined;
}

function isFailed({ terms }: ServiceKit, listed: ListedNotification | undefined): boolean {
  return listed !== undefined && listed.status === statusTerms(terms).exhausted;
}

/** Nothing where the list cannot be read: then the attempts have to do. */
async function look(kit: ServiceKit, id: string): Promise<ListedNotification | undefined> {
  return (await kit.listed([id]).catch(unlessUnobservable))?.get(id);
}

/** What is over stays over. */
export const finished = serviceCheck<{ readonly accepted: boolean; readonly crash: Crash }>({
  id: 'service/crashes/finished',
  title: 'sends nothing again after a restart that was accepted or had failed, and lists it as before',
  requirements: ['DLV-2', 'STA-3', 'STA-4', 'STA-2', 'LST-2', 'DLV-7'],
  about: ['operation:notifications', 'id'],
  needs: ['process-control', 'event'],
  schedule: { kind: 'interrupting', timed: true },
  fatal: 'DLV-7',
  weight: 0.06,
  cases: () =>
    [true, false].map((accepted) => fc.record({ accepted: fc.constant(accepted), crash: crash('kill', [1, 1]) })),
  run: async (kit, { accepted, crash: schedule }) => {
    const webhook = await kit.register({
      events: [kit.scenarioEvents[0]],
      script: [accepted ? accept(kit.contract) : refuse()],
    });
    const notified = await notificationAt(kit, webhook, await kit.raise(kit.scenarioEvents[0]));
    const status = statusTerms(kit.terms)[accepted ? 'accepted' : 'exhausted'];
    await untilListed(kit, notified, status);
    const before = notified.attempts.length;
    await end(kit, schedule, [webhook]);
    await kit.processControl.start();
    await newNeighbour(kit);
    await kit.settle();
    const again = notified.attempts[before];
    if (again === undefined) return relisted(kit, notified, accepted);
    return finding(accepted ? 'DLV-2' : 'STA-3', {
      expected: `nothing more is sent of what is listed as ${status}`,
      actual: `attempt ${before + 1} came after a restart`,
      exchanges: [itemOf(notified.attempts, before - 1), again],
      hangsOnTime: true,
    });
  },
  hint: 'Take up what is pending when the process starts, and nothing else: read it by its status, which is stored in the transaction that ends a notification. List them from there, too.',
});

/** What it had come to is still listed. */
async function relisted(kit: ServiceKit, notified: Notified, accepted: boolean): Promise<ServiceFinding | undefined> {
  const status = statusTerms(kit.terms)[accepted ? 'accepted' : 'exhausted'];
  const listed = await kit.untilListed(notified.id, [status]);
  if (listed?.status === status) return undefined;
  const listing = await kit.list('notifications');
  if (listed === undefined && !listing.complete) throw notRead(kit, 'notifications', listing);
  return finding(listed === undefined ? 'LST-2' : accepted ? 'STA-4' : 'STA-2', {
    expected: `what was listed as ${status} before a restart is listed so after it`,
    actual: listed === undefined ? 'it is not listed' : `it is listed as ${JSON.stringify(listed.status)}`,
    exchanges: [...notified.attempts.slice(-1), ...listing.pages.slice(0, 1)],
    absence: true,
  });
}

async function untilListed(kit: ServiceKit, notified: Notified, status: string): Promise<void> {
  const over = await kit.until(async () => {
    const listed = (await kit.listed([notified.id])).get(notified.id);
    return listed?.status === status || undefined;
  });
  if (over) return;
  throw new OutOfTime(`it was not listed as ${status} while retries were waited for: give a longer --retry-window`);
}
