import fc from 'fast-check';

import { receiverCheck, Unproven, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Draw } from '../../draw.ts';
import type { HeardCall, Raised, ReceiverKit } from '../../kit.ts';
import { acceptedTwin } from '../expectation.ts';
import { type End, ended } from '../interruption.ts';
import type { OperationRole } from '../../../spec/names.ts';
import { itemOf } from '../../items.ts';

/** An outage: how it began, and the events that nobody could be notified of meanwhile. */
interface Outage {
  readonly end: End;
  readonly events: readonly string[];
}

/** The operation that is called again and again without an outage. */
const unrelated: OperationRole = 'senders';
/** Milliseconds for which a recovery that begins by itself is awaited. */
const longest = 30_000;
/** Milliseconds between two looks at what the receiver has asked for. */
const between = 25;
/** Pages up to this length are filled, so that they have to be turned. */
const longestFilled = 200;
/** How many different events are missed. */
const variety = 5;

/** Section 6.4: what failed is not sent again, so the receiver looks it up. */
export const afterAnOutage = receiverCheck<Outage>({
  id: 'receiver/recovery/after-an-outage',
  title: 'lists the notifications that failed during an outage, and reads again what they are about',
  requirements: ['RCO-1'],
  needs: ['process-control', 'api'],
  schedule: { kind: 'interrupting' },
  weight: 0.01,
  cases: (draw) => [
    fc.constant<Outage>({ end: 'killed', events: tellingEvents(draw) }),
    fc.constant<Outage>({ end: 'stopped', events: tellingEvents(draw) }),
  ],
  run: async (kit, outage) => {
    const missed = Math.min(kit.api.longestPage, longestFilled) + 1;
    const lost = await judgedOutage(kit, outage, missed);
    // A receiver that asked for longer pages has not had to turn one yet.
    const { longestPage } = kit.api;
    const turned = longestPage < missed || longestPage > longestFilled;
    return lost ?? (turned ? undefined : judgedOutage(kit, outage, longestPage + 1));
  },
  hint:
    'At each start, and on request, page through the list of notifications to its end. If any has failed, page ' +
    'through the lists of what they are about and store what these say now. If you start the recovery yourself, say how ' +
    'with --recover.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const recoveryChecks: readonly ReceiverCheck[] = [afterAnOutage];

/** Events that bring the most kinds of related resources along, so that there is something to read again. */
function tellingEvents({ events }: Draw): readonly string[] {
  const telling = events.toSorted((one, other) => other.included.length - one.included.length);
  return telling.slice(0, variety).map(({ name }) => name);
}

/** @param count - how many notifications fail meanwhile */
async function judgedOutage(kit: ReceiverKit, { end, events }: Outage, count: number): Promise<Finding | undefined> {
  const { api } = kit;
  await ended(kit, end);
  const raised = await Promise.all(
    Array.from({ length: count }, (_, n) => api.raise(itemOf(events, n % events.length))),
  );
  if (raised.some(({ notifications }) => notifications.length === 0))
    throw new Unproven('the service that the kit plays had nobody to notify');
  await api.untilFailed(raised.flatMap(({ notifications }) => notifications));
  kit.note(`${count} notifications have failed for good`);
  const missed = gathered(raised);
  const before = api.calls.length;
  await kit.processControl.start();
  await acceptedTwin(kit, kit.compose(kit.control));
  const asked = await api.recover();
  const left = kit.contract.operation(unrelated).operationId;
  const since = () => api.calls.slice(before).filter(({ operationId }) => operationId !== left);
  await untilShown(kit, missed, since, asked);
  noteCalls(kit, since());
  return unread(missed, since()).length === 0 ? undefined : incomplete(kit, missed, since(), asked);
}

/** All that was missed: ids by the operation that lists them. */
type Missed = ReadonlyMap<string, readonly string[]>;

function gathered(raised: readonly Raised[]): Missed {
  const operations = new Set(raised.flatMap(({ records }) => Object.keys(records)));
  return new Map(
    [...operations].map((operation) => [operation, raised.flatMap(({ records }) => records[operation] ?? [])]),
  );
}

/** Resolves once everything was shown to the receiver, or nothing more is to be expected. */
async function untilShown(
  kit: ReceiverKit,
  missed: Missed,
  since: () => readonly HeardCall[],
  asked: boolean,
): Promise<void> {
  const began = kit.elapsed();
  const quietTime = asked ? quietTimeOf(kit) : longest;
  while (unread(missed, since()).length > 0) {
    const quietSince = Math.max(began, since().at(-1)?.at ?? began);
    if (kit.elapsed() - quietSince > quietTime || kit.elapsed() - began > longest) return;
    await kit.pause(between);
  }
}

/** Notes when each operation was called for the first time. */
function noteCalls(kit: ReceiverKit, calls: readonly HeardCall[]): void {
  const firstCalls = new Map(calls.toReversed().map((call) => [call.operationId, call]));
  for (const first of calls.filter((call) => firstCalls.get(call.operationId) === call)) {
    kit.note(`it calls ${first.method} ${first.path}, which is answered with ${first.status}`, first.at);
  }
}

/** Milliseconds without a call after which a recovery that was started is over. */
function quietTimeOf({ settle }: ReceiverKit): number {
  return 5 * settle;
}

/** The operations that did not show all that was missed. */
function unread(missed: Missed, calls: readonly HeardCall[]): readonly string[] {
  const seen = shownIds(calls);
  return [...missed].flatMap(([operation, ids]) => (ids.every((id) => seen.has(id)) ? [] : [operation]));
}

function shownIds(calls: readonly HeardCall[]): ReadonlySet<string> {
  return new Set(calls.flatMap(({ ids }) => ids));
}

function incomplete(kit: ReceiverKit, missed: Missed, calls: readonly HeardCall[], asked: boolean): Finding {
  const lacking = new Set(unread(missed, calls));
  const reported = [...missed.keys()]
    .toSorted((one, other) => Number(lacking.has(other)) - Number(lacking.has(one)))
    .map((operation) => extent(kit, operation, missed, calls));
  const lists = [...missed.keys()].map((operation) => spelled(kit, operation)).join(', ');
  const waited = asked
    ? `until it had called nothing for ${quietTimeOf(kit) / 1000} s after the recovery was started`
    : `${longest / 1000} s from its start on`;
  return {
    requirements: ['RCO-1'],
    expected: `the receiver reads ${lists} until it has seen all that it missed (this was awaited ${waited})`,
    actual: calls.length === 0 ? 'it called nothing' : reported.join('; '),
    absence: true,
    attempts: [],
  };
}

/** How far an operation was read: `GET /things: called twice, 5 of the 6 that it missed were shown`. */
function extent(kit: ReceiverKit, operation: string, missed: Missed, calls: readonly HeardCall[]): string {
  const ids = missed.get(operation) ?? [];
  const seen = shownIds(calls);
  const shown = ids.filter((id) => seen.has(id)).length;
  const made = calls.filter(({ operationId }) => operationId === operation).length;
  const often = made === 0 ? 'never called' : made === 1 ? 'called once' : `called ${made} times`;
  return `${spelled(kit, operation)}: ${often}, ${shown} of the ${ids.length} that it missed were shown`;
}

function spelled({ contract }: ReceiverKit, operationId: string): string {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  return operation === undefined ? operationId : `${operation.method} ${operation.path}`;
}
