import { Unproven, type ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { Notified, ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { newNeighbour, type Neighbour, type Played, type Survivor } from './playedCrashes.ts';
import { sameBut, sameMoment } from '../redelivery.ts';
import { judgeSignature } from '../signing.ts';
import { utcTime } from '../utcTime.ts';
import { lastOf } from '../../items.ts';

/** What was played, and a webhook that is newer than the crashes, where one was needed already. */
export interface Seen extends Played {
  readonly neighbour?: Neighbour | undefined;
}

/**
 * Whether what came to a webhook after a restart is the notification that it was before, sent as before.
 *
 * @throws Unproven where the service always does what would be wrong, restart or not
 */
export async function changedByRestart(
  kit: ServiceKit,
  survivor: Survivor,
  seen: Seen,
): Promise<ServiceFinding | undefined> {
  const deliveries = kit.notifications(survivor.webhook.endpoint).filter(({ event }) => event === seen.triggered.event);
  const [first] = deliveries;
  if (first === undefined) return undefined;
  return (
    (await underAnotherId(kit, deliveries, seen)) ??
    tooMany(kit, first.attempts) ??
    redated(kit, first.attempts, seen.opened) ??
    (await unsigned(kit, survivor, seen)) ??
    (await withoutHeaders(kit, survivor, seen))
  );
}

/** One triggered event is one notification of each webhook. Where it always makes several, the restart is not to blame. */
async function underAnotherId(
  kit: ServiceKit,
  [first, ...others]: readonly Notified[],
  seen: Seen,
): Promise<ServiceFinding | undefined> {
  if (first === undefined) return undefined;
  const came = (notified: Notified): Caught => notified.attempts[0];
  const isSame = (each: Notified): boolean =>
    sameBut(kit, ['id'], came(first), came(each)) || sameBut(kit, ['id', 'createdAt'], came(first), came(each));
  // Made anew, a body may hold other things.
  const isLeft = !first.attempts.some(({ at }) => at > seen.opened);
  const other = others.find((each) => isSame(each) || (isLeft && sameMoment(kit, came(first), came(each))));
  if (other === undefined || came(other).at < seen.opened || kit.scenarioEvents[0] === kit.scenarioEvents[1])
    return undefined;
  const { webhook, event } = seen.neighbour ?? (await newNeighbour(kit));
  const usual = kit.notifications(webhook.endpoint).filter((each) => each.event === event).length;
  if (usual > 1) throw new Unproven(`one ${event} leads to ${usual} notifications, restart or not`);
  return finding('NTF-3', {
    expected: 'what is sent after the restart is the notification from before it, under its id',
    actual: `${others.length + 1} ids came of one ${seen.triggered.event}, and ${isSame(other) ? 'the bodies' : 'the times of creation'} are the same`,
    exchanges: [lastOf(first.attempts), came(other)],
    hangsOnTime: true,
  });
}

function tooMany({ contract }: ServiceKit, attempts: readonly Caught[]): ServiceFinding | undefined {
  const most = contract.delivery.retries + 1;
  const [first, last] = [attempts[0], attempts[most]];
  if (first === undefined || last === undefined) return undefined;
  return finding('STA-2', {
    expected: `a notification is sent ${most} times at most, restarts or not`,
    actual: `attempt ${attempts.length} came`,
    exchanges: [first, last],
    hangsOnTime: true,
  });
}

function redated(kit: ServiceKit, attempts: readonly Caught[], opened: number): ServiceFinding | undefined {
  const [first] = attempts;
  const again = attempts.find(({ at }) => at > opened);
  if (first === undefined || again === undefined) return undefined;
  const times = [first, again].map((caught) => kit.delivered(caught, 'createdAt'));
  const [one, other] = times.map((time) => utcTime(time));
  if (one === undefined || other === undefined || one === other) return undefined;
  return finding('NTF-7', {
    expected: `the attempt after the restart says that it was created at ${String(times[0])}, as the one before it`,
    actual: `it says ${String(times[1])}`,
    exchanges: [first, again],
  });
}

/** Attempts after the restart are signed with the secret that the webhook was given, as others are. */
async function unsigned(
  kit: ServiceKit,
  { webhook }: Survivor,
  { opened, neighbour }: Seen,
): Promise<ServiceFinding | undefined> {
  if (typeof webhook.secret !== 'string') return undefined;
  const after = webhook.endpoint.caught.filter(({ at }) => at > opened);
  const wrong = after.map((caught) => judgeSignature(kit, caught, { webhook, others: [] })).find(Boolean);
  if (wrong === undefined) return undefined;
  const newer = neighbour ?? (await newNeighbour(kit));
  const found = judgeSignature(kit, newer.accepted, { webhook: newer.webhook, others: [] });
  if (found) throw new Unproven('no delivery is signed in a way that the kit can verify, restart or not');
  return { ...wrong, twin: newer.accepted, difference: 'for a webhook that was created before a restart' };
}

/** The custom headers are part of the webhook, and it is the same after a restart. */
async function withoutHeaders(
  kit: ServiceKit,
  { webhook }: Survivor,
  { opened, headers }: Seen,
): Promise<ServiceFinding | undefined> {
  const after = webhook.endpoint.caught.filter(({ at }) => at > opened);
  const lost = ({ name, value }: Seen['headers'][number], among: readonly Caught[]) =>
    among.find((caught) => kit.header(caught, name) !== value);
  const header = headers.find((each) => lost(each, after));
  const wrong = header && lost(header, after);
  if (header === undefined || wrong === undefined) return undefined;
  const { accepted } = await newNeighbour(kit, headers);
  if (lost(header, [accepted])) throw new Unproven('custom headers do not go out, restart or not');
  return finding('WHK-10', {
    expected: `what is delivered after the restart carries ${header.name}: ${header.value}, as the webhook was created`,
    actual: `it carries ${kit.header(wrong, header.name) ?? 'no such header'}`,
    exchanges: [webhook.creation, wrong],
    twin: accepted,
    difference: 'the webhook was created before a restart',
  });
}
