import { OutOfTime, type ServiceFinding, Unproven } from '../../check.ts';
import type { ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { counted, itemOf } from '../../items.ts';
import { untilStill } from './untilStill.ts';

/** A retry window in which the service makes fewer first deliveries than this, one after the other, shows no absence. */
const fewest = 2;

/** Milliseconds that the first of these deliveries, and each next one, is awaited at least: a busy machine stands still for a while. */
const patience = 3000;

/** What happened, and the webhooks that hear of it. */
interface Heard {
  readonly triggered: TriggeredEvent;
  readonly all: readonly Webhook[];
  /** Others that need not hear of it, and may keep these waiting for as long as they answer. */
  readonly slow?: readonly Webhook[];
}

/** All get theirs within the retry window, however long the others take: as long as the next one comes somewhere. */
export async function expectAll(
  kit: ServiceKit,
  { all, triggered, slow = [] }: Heard,
): Promise<ServiceFinding | undefined> {
  const unheard = () => all.filter(({ endpoint }) => endpoint.caught.length === 0);
  const everybody = [...all, ...slow];
  const firstCaught = () =>
    triggered.monitored[0]?.attempts[0] ??
    everybody.find(({ endpoint }) => endpoint.caught.length > 0)?.endpoint.caught[0];
  if (firstCaught() === undefined) return silence(kit, triggered, everybody);
  const lull = () => Math.max(patience, kit.overdueAfter({ took: longestPause(everybody, triggered), timeout: 0 }));
  await untilStill(kit, everybody, () => unheard().length === 0, lull);
  const [first] = unheard();
  if (first === undefined) return undefined;
  const shown = firstCaught();
  const took = (shown?.at ?? triggered.at) - triggered.at;
  if (kit.window < fewest * took)
    throw new OutOfTime(`the service took ${Math.round(took)} ms for one delivery: give a longer --retry-window`);
  return finding('DLV-6', {
    expected: `${all.length} webhooks hear of ${triggered.event}`,
    actual: `${unheard().length} of ${counted(all.length, 'webhook')} heard nothing`,
    exchanges: [first.creation, ...(shown ? [shown] : [])],
    absence: true,
    // It was awaited for several times as long as any other, and no answer of the kit decides whether a first delivery comes.
    hangsOnTime: false,
  });
}

/**
 * Nobody heard of an event that the monitor was notified of earlier in the run. It is raised again: a service that notifies nobody
 * for so long, whatever happens, has stopped.
 *
 * @throws Unproven where that may have another reason
 */
async function silence(
  kit: ServiceKit,
  { event, by }: TriggeredEvent,
  webhooks: readonly Webhook[],
): Promise<ServiceFinding> {
  const unproven = new Unproven(`nothing came of ${event}, to nobody`);
  const earlier = kit.monitored(event);
  const [last] = earlier.slice(-1);
  const came = () =>
    kit.monitored().length > known || webhooks.some(({ endpoint }) => endpoint.caught.length > 0) || undefined;
  const known = kit.monitored().length;
  const silent = Math.min(kit.window, longestSilence);
  if (last === undefined || by !== 'emit') throw unproven;
  for (let time = 0; time < again; time += 1) {
    await kit.raise(event);
    if (await kit.soon(came, silent / again)) throw unproven;
  }
  return finding('DLV-6', {
    expected: `${event} brings notifications, as it did earlier in the run`,
    actual: `it was raised ${1 + again} times, and for ${Math.round(silent / 1000)} s nothing came to any of ${counted(webhooks.length + 1, 'webhook')}. One of them had been notified of it ${counted(earlier.length, 'time')} before`,
    exchanges: [itemOf(webhooks, 0).creation, last.attempts[0]],
    absence: true,
    hangsOnTime: false,
    hint:
      'Something that happened earlier in the run ended the deliveries, not only its own. Give back the connection, the lock ' +
      'and the place in the pool of an attempt that timed out or threw, and let a worker outlive any notification. Your log has the last one before the silence.',
  });
}

/** Milliseconds, longer than most services wait for an answer; within the retry window. It has to recur. */
const longestSilence = 20_000;

/** How often what nobody heard of is raised again. */
const again = 2;

/** Milliseconds that passed at most until the first delivery came to the next one of these webhooks. */
function longestPause(webhooks: readonly Webhook[], { at }: TriggeredEvent): number {
  const firsts = webhooks.flatMap(({ endpoint }) => endpoint.caught.slice(0, 1)).map((caught) => caught.at);
  const times = [at, ...firsts].toSorted((one, other) => one - other);
  return Math.max(0, ...times.slice(1).map((time, place) => time - itemOf(times, place)));
}
