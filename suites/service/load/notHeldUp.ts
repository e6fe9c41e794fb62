import fc from 'fast-check';

import { OutOfTime, type ServiceFinding, serviceCheck } from '../../check.ts';
import type { ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { counted, itemOf } from '../../items.ts';
import { isUnheard, silence } from '../silence.ts';
import type { CatchStep } from '../../exchange.ts';
import { delivered, expectId, isNotified } from '../firstDelivery.ts';
import { isInactive } from '../isInactive.ts';
import { isNotifiedLater } from '../pausing.ts';
import { openRetries } from '../redelivery.ts';
import { accept, describeStep, refuse } from '../steps.ts';

/** A retry window in which the service makes fewer first deliveries than this, one after the other, shows no absence. */
const fewest = 2;

/** Milliseconds that the first of these deliveries, and each next one, is awaited at least: a busy machine stands still for a while. */
export const patience = 3000;

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
  if (isUnheard(triggered, everybody)) return silence(kit, triggered, everybody);
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

/** Milliseconds that passed at most until the first delivery came to the next one of these webhooks. */
function longestPause(webhooks: readonly Webhook[], { at }: TriggeredEvent): number {
  const firsts = webhooks.flatMap(({ endpoint }) => endpoint.caught.slice(0, 1)).map((caught) => caught.at);
  const times = [at, ...firsts].toSorted((one, other) => one - other);
  return Math.max(0, ...times.slice(1).map((time, place) => time - itemOf(times, place)));
}

/**
 * Waits until it is over, or nothing has come to these webhooks for so long and none is answering: a queue may send one
 * notification after the other. At most as long as the retry window.
 *
 * @param lull - those milliseconds, by what has come so far
 */
export async function untilStill(
  kit: ServiceKit,
  webhooks: readonly Webhook[],
  isOver: () => boolean,
  lull: () => number,
): Promise<void> {
  const until = kit.elapsed() + kit.window;
  const attempts = () => webhooks.reduce((sum, { endpoint }) => sum + endpoint.caught.length, 0);
  const isHeld = () => webhooks.some(({ endpoint }) => endpoint.caught.some(({ end }) => end === undefined));
  for (let seen = -1; !isOver() && (seen < attempts() || isHeld()) && kit.elapsed() < until;) {
    seen = attempts();
    await kit.soon(() => isOver() || undefined, Math.min(lull(), until - kit.elapsed()));
  }
}

interface Failing {
  /** Attempts that fail before something else happens. */
  readonly attempts: number;
  /** True where they fail because the connection breaks. Default: they are refused. */
  readonly broken?: boolean;
}

/** Sections 3.1 and 6: a notification that was given up, or cannot be delivered, holds up no other. */
export const exhaustedHoldsUpNobody = serviceCheck<Failing>({
  id: 'service/load/exhausted-holds-up-nobody',
  title: 'delivers the next notification after another was given up, or while a receiver is down',
  requirements: ['DLV-6'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: ({ contract }) => [
    fc.constant({ attempts: contract.delivery.retries + 1 }),
    fc.constant({ attempts: 2, broken: true }),
  ],
  run: async (kit, { attempts, broken = false }) => {
    const [first, second] = kit.scenarioEvents;
    const events = [...new Set([first, second])];
    const step: CatchStep = broken ? { do: 'reset', when: 'before' } : refuse();
    const [failing, other] = await Promise.all([
      kit.register({ events, script: [step] }),
      kit.register({ events, script: [accept(kit.contract)] }),
    ]);
    const notified = await delivered(kit, failing, await kit.trigger(first));
    expectId(kit, notified.id);
    // It may be given up sooner, which is for service/retries/exhaustion to say.
    const isOver = () => notified.attempts.length >= attempts || kit.isOverdue(notified);
    if (!(await kit.until(async () => isOver() || undefined)))
      throw new OutOfTime(openRetries([notified], { attempts }));
    const next = await kit.trigger(second);
    for (const webhook of [other, failing]) {
      if (await isNotified(kit, webhook, next)) continue;
      if (webhook === failing && ((await isInactive(kit, webhook)) || (await isNotifiedLater(kit, webhook, next))))
        continue;
      return unheard(next, `${notified.attempts.length} attempts of ${first} that ended in ${describeStep(step)}`, [
        ...notified.attempts.slice(-1),
        ...(next.monitored[0]?.attempts.slice(0, 1) ?? []),
      ]);
    }
    return undefined;
  },
  hint: 'Take a failed notification out of the queue, and leave its webhook subscribed. One that cannot be reached is the matter of its own notifications alone.',
});

function unheard({ event }: TriggeredEvent, after: string, exchanges: ServiceFinding['exchanges']): ServiceFinding {
  return finding('DLV-6', {
    expected: `the webhook hears of ${event}, whatever became of what happened before`,
    actual: `nothing came, after ${after}`,
    exchanges,
    absence: true,
  });
}
