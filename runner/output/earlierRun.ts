import type { Resumed, RetriesAwaited, RunEvent } from '../../reports/model/events.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { createSummary } from '../../reports/model/summary.ts';
import { UsageError } from '../errors.ts';
import { hiddenEvent, type Secrets } from '../secrets/secrets.ts';
import { journalEvents } from './readRun.ts';

/** A run that did not settle all of its checks, for another one that goes on with it. */
export interface EarlierRun extends Resumed {
  /** Of its journal. */
  readonly path: string;
  readonly summary: RunSummary;
  /** The checks that are not run again: each has a result that more time would not change. */
  readonly settled: ReadonlySet<string>;
  /** Where the kit caught deliveries: what is still registered there was made by it. */
  readonly endpoints: readonly string[];
  /** The retries that were still to come to some of them. */
  readonly awaited: readonly RetriesAwaited[];
  readonly learned: RunSummary['learned'];
}

/**
 * Reads what a run came to from its journal.
 *
 * @throws UsageError where the file cannot be read, is no journal, or is the journal of a search
 */
export async function earlierRun(path: string): Promise<EarlierRun> {
  const summary = createSummary();
  const settled = new Set<string>();
  const endpoints: string[] = [];
  const awaited = new AwaitedRetries();
  for await (const event of journalEvents(path)) {
    summary.add(event);
    if (event.type === 'check.finished' && isSettled(event)) settled.add(event.check);
    if (event.type === 'endpoint.opened' && ownName.test(event.url)) endpoints.push(event.url);
    awaited.note(event);
  }
  const run = summary.summary();
  const { id, startedAt: at } = run.run;
  requireSuite(path, run);
  return { id, at, path, summary: run, settled, endpoints, awaited: awaited.all, learned: run.learned };
}

/** How the catcher ends its addresses, and nobody else. What a file calls an endpoint of the kit is deleted at the service. */
const ownName = /\/[0-9a-f]{32}$/;
const nameLength = 32;

/** The retries that a journal says are awaited, with the attempts that came since. */
class AwaitedRetries {
  readonly #awaited = new Map<string, RetriesAwaited>();

  get all(): readonly RetriesAwaited[] {
    return [...this.#awaited.values()];
  }

  note(event: RunEvent): void {
    if (event.type === 'retries.awaited' && ownName.test(event.url))
      this.#awaited.set(event.url.slice(-nameLength), event);
    if (event.type !== 'delivery.caught') return;
    const awaited = this.#awaited.get(event.endpoint);
    if (awaited?.id !== event.id) return;
    this.#awaited.set(event.endpoint, { ...awaited, attempts: Math.max(awaited.attempts, event.number) });
  }
}

function isSettled({ outcome }: Extract<RunEvent, { readonly type: 'check.finished' }>): boolean {
  return outcome !== 'inconclusive' && outcome !== 'errored';
}

/** Whether a run came to its end, and left nothing open. */
export function isWhole({ summary, settled }: EarlierRun): boolean {
  return summary.run.complete && summary.checks.every(({ id }) => settled.has(id));
}

function requireSuite(path: string, { search, errors }: RunSummary): void {
  const contradiction = errors.find(({ where }) => where === 'summary');
  if (search === undefined && contradiction === undefined) return;
  throw new UsageError('SW_RESUME_DIFFERS', {
    received: `--resume ${path}: ${contradiction?.message ?? 'it is the journal of a search, which begins anew'}`,
    valid: 'the journal of seaworthy receiver or seaworthy service, as the run wrote it',
    next: 'name the journal of such a run, or leave --resume out',
  });
}

/**
 * The events of a run that goes on with an earlier one, with what that one settled: together they are a whole run. Times
 * go on where the earlier run stopped.
 */
export async function* goingOn(
  events: AsyncIterable<RunEvent>,
  { path, settled, summary, awaited }: EarlierRun,
  secrets: Secrets,
): AsyncGenerator<RunEvent> {
  const before = summary.run.durationMs;
  for await (const event of events) {
    yield later(event, before);
    if (event.type !== 'run.started') continue;
    for await (const earlier of journalEvents(path)) if (isKept(earlier, settled)) yield hiddenEvent(earlier, secrets);
    yield* awaited.map((each) => hiddenEvent(each, secrets));
  }
}

function later(event: RunEvent, before: number): RunEvent {
  if (!('ms' in event)) return event;
  const ms = event.ms + before;
  return event.type === 'run.finished' ? { ...event, ms, durationMs: event.durationMs + before } : { ...event, ms };
}

/** What only one sitting is about, such as why it ended, and what is written anew. */
const ofOneSitting: ReadonlySet<RunEvent['type']> = new Set([
  'run.started',
  'retries.awaited',
  'control.finished',
  'target.said',
  'target.lost',
  'probe.failed',
  'kit.errored',
  'left.over',
  'run.finished',
]);

/** Of a check that is run again, nothing counts twice. */
function isKept(event: RunEvent, settled: ReadonlySet<string>): boolean {
  if (ofOneSitting.has(event.type)) return false;
  if (!('check' in event) || event.type === 'endpoint.opened') return true;
  return event.check === 'control' || settled.has(event.check);
}
