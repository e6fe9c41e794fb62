import { type ServiceFinding, Unproven } from '../check.ts';
import type { ServiceKit, TriggeredEvent, Webhook } from '../serviceKit.ts';
import { finding } from '../finding.ts';
import { counted, itemOf } from '../items.ts';

/** Whether nothing came of what happened, neither to the monitor nor to any of these. */
export function isUnheard({ monitored }: TriggeredEvent, webhooks: readonly Webhook[]): boolean {
  return monitored.length === 0 && webhooks.every(({ endpoint }) => endpoint.caught.length === 0);
}

/**
 * Nobody heard of an event. It is raised again, with others, and with one that the monitor was notified of earlier in the
 * run: a service that notifies nobody for so long, whatever happens, has stopped.
 *
 * @throws Unproven where that may have another reason
 */
export async function silence(
  kit: ServiceKit,
  { event, by }: TriggeredEvent,
  webhooks: readonly Webhook[],
): Promise<ServiceFinding> {
  const unproven = new Unproven(`nothing came of ${event}, to nobody`);
  const last = kit.monitored(event).at(-1) ?? kit.monitored().at(-1);
  const from = kit.elapsed();
  // One that is busy with what does not answer makes an attempt now and then, whatever happens.
  const came = () => kit.lastCaught() > from || undefined;
  const silent = Math.min(kit.window, longestSilence);
  if (last === undefined || by !== 'emit') throw unproven;
  for (let time = 0; time < again; time += 1) {
    // What joins repeats of one event, or skips them, may still tell of another.
    for (const each of new Set([last.event, event, ...kit.scenarioEvents])) await kit.raise(each);
    if (await kit.soon(came, silent / again)) throw unproven;
  }
  const times = last.event === event ? 1 + again : again;
  const before = counted(kit.monitored(last.event).length, 'time');
  return finding('DLV-6', {
    expected: `${last.event} brings notifications, as it did earlier in the run`,
    actual: `it was raised ${times} times, and for ${Math.round(silent / 1000)} s nothing came to any of ${counted(webhooks.length + 1, 'webhook')}. One of them had been notified of it ${before} before`,
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
