import type {
  CheckFinished,
  CheckOutcome,
  ControlFinished,
  FuzzFailed,
  FuzzProgressed,
  KitErrored,
  Learned,
  ProcessChanged,
  Observed,
  RunEvent,
  RunFinished,
  RunStarted,
  TargetLost,
  ProbeFailed,
  TargetSaid,
  CallFinished,
  DeliveryCaught,
  DeliveryFinished,
} from './events.ts';
import { type Opinions, noOpinions, recordDifference, recordFinished } from './secondOpinion.ts';
import { statusClass } from '../../spec/statusClasses.ts';
import type { Observation, LearnedAssumption } from './runSummary.ts';
import { type DeliveryEnd, WireEvents, type WireFigures, WireRetries, WireLatencies } from './wireFigures.ts';

/** What the events of a run have said so far. Deliveries and calls are added up. */
export interface Seen {
  started?: RunStarted;
  control?: ControlFinished;
  lost?: TargetLost;
  probeFailed?: ProbeFailed;
  finished?: RunFinished;
  deliveries: number;
  calls: number;
  readonly wire: WireTally;
  ms: number;
  readonly running: Set<string>;
  readonly results: Map<string, CheckFinished>;
  /** Where a search stood last. */
  figures?: FuzzProgressed;
  /** How many failures it had reported before it began to shrink those that it shrinks now. */
  reportedBefore: number;
  /** What it has found. */
  readonly found: FuzzFailed[];
  readonly observations: Map<string, Observation>;
  /** By key. */
  readonly learned: Map<string, LearnedAssumption>;
  readonly opinions: Opinions;
  readonly leftOver: Set<string>;
  /** The ends that nobody asked for, of a target that is under process control. */
  readonly deaths: ProcessChanged[];
  said?: TargetSaid;
  readonly errors: KitErrored[];
}

/** Before the first event. */
export function nothingSeen(): Seen {
  return {
    deliveries: 0,
    calls: 0,
    wire: new WireTally(),
    ms: 0,
    running: new Set(),
    results: new Map(),
    reportedBefore: 0,
    found: [],
    observations: new Map(),
    learned: new Map(),
    opinions: noOpinions(),
    leftOver: new Set(),
    deaths: [],
    errors: [],
  };
}

/** Takes one more event. */
export function record(seen: Seen, event: RunEvent): void {
  if ('ms' in event) seen.ms = Math.max(seen.ms, event.ms);
  switch (event.type) {
    case 'run.started':
      seen.started = event;
      seen.wire.know(event.events ?? []);
      return;
    case 'control.finished':
      seen.control = event;
      return;
    case 'probe.failed':
      seen.probeFailed ??= event;
      return;
    case 'target.lost':
      seen.lost ??= event;
      return;
    case 'kit.errored':
      seen.errors.push(event);
      return;
    case 'left.over':
      for (const what of event.what) seen.leftOver.add(what);
      return;
    case 'run.finished':
      return recordEnd(seen, event);
    default:
      recordWork(seen, event);
  }
}

/** From what says least against the target on. */
const gravity: readonly CheckOutcome[] = ['passed', 'not-observable', 'inconclusive', 'errored', 'warned', 'failed'];

/** What a check was found to break is not forgotten, whatever is said of that check later. */
function recordResult(seen: Seen, event: CheckFinished): void {
  const earlier = seen.results.get(event.check);
  if (earlier !== undefined && gravity.indexOf(earlier.outcome) > gravity.indexOf(event.outcome)) return;
  seen.results.set(event.check, event);
}

/** A run ended as it did where any of its ends says so. */
function recordEnd(seen: Seen, event: RunFinished): void {
  const { complete = true, interrupted = false } = seen.finished ?? {};
  seen.finished = {
    ...event,
    complete: event.complete && complete,
    interrupted: event.interrupted || interrupted,
  };
}

type Work = Exclude<
  RunEvent,
  {
    type:
      | 'run.started'
      | 'control.finished'
      | 'target.lost'
      | 'probe.failed'
      | 'kit.errored'
      | 'left.over'
      | 'run.finished';
  }
>;

function recordWork(seen: Seen, event: Work): void {
  switch (event.type) {
    case 'check.started':
      seen.running.add(event.check);
      return;
    case 'delivery.finished':
    case 'delivery.caught':
      seen.deliveries += 1;
      return seen.wire.add(event, seen.started?.acceptedStatuses);
    case 'call.finished':
      seen.calls += 1;
      return seen.wire.add(event);
    case 'endpoint.opened':
    case 'retries.awaited':
      return;
    case 'check.finished':
      return recordResult(seen, event);
    case 'fuzz.progressed':
      return recordFigures(seen, event);
    case 'fuzz.failed':
      seen.found.push(event);
      return;
    case 'observed':
      return recordObservation(seen, event);
    case 'learned':
      return recordLearned(seen, event);
    case 'life.changed':
      if (event.change === 'died' || event.change === 'lost') seen.deaths.push(event);
      if (event.change === 'returned') noteReturn(seen.deaths, event);
      return;
    case 'target.said':
      seen.said = event;
      return;
    case 'opinion.differed':
      return recordDifference(seen.opinions, event);
    case 'opinion.finished':
      return recordFinished(seen.opinions, event);
  }
}

/** Sequences are played and failures shrunk in turns: where the number of sequences grew, other failures are shrunk. */
function recordFigures(seen: Seen, event: FuzzProgressed): void {
  if (event.cases !== seen.figures?.cases || seen.figures.shrinking === undefined)
    seen.reportedBefore = seen.found.length;
  seen.figures = event;
}

/** The same value of the same gap, seen once more, is no news: the first evidence stays. */
function recordObservation(seen: Seen, { gap, value, evidence }: Observed): void {
  const key = JSON.stringify([gap, value]);
  if (!seen.observations.has(key)) seen.observations.set(key, { gap, value, evidence });
}

/** What is learned later rests on more: the last value of a key stays. */
function recordLearned(seen: Seen, { key, gap, value, evidence }: Learned): void {
  seen.learned.set(key, { key, gap, value, evidence });
}

/** Adds up what went over the wire. What it holds is bounded, however much that was. */
class WireTally {
  readonly #events = new WireEvents();
  readonly #latencies = new WireLatencies();
  readonly #byCheck = new Map<string, WireLatencies>();
  readonly #retries = new WireRetries();

  /** @param names - the events of the contract */
  know(names: readonly string[]): void {
    this.#events.know(names);
  }

  /** @param accepted - the statuses that end a delivery. Default: 200 to 299 */
  add(event: DeliveryFinished | DeliveryCaught | CallFinished, accepted?: readonly number[]): void {
    if (event.type !== 'delivery.caught' && event.answer.kind === 'answered') this.#took(event.check, event.answer.ms);
    if (event.type === 'call.finished') return;
    const status = event.type === 'delivery.caught' ? spokenStatus(event.answered) : event.answer.status;
    this.#events.add(event.event, event.check, endOf(status, accepted));
    if (event.type === 'delivery.caught') this.#retries.add(event);
  }

  figures(): WireFigures {
    return {
      events: this.#events.rows(),
      latencies: this.#latencies.figures(),
      latenciesByCheck: [...this.#byCheck].map(([check, latencies]) => ({ check, ...latencies.figures() })),
      retried: this.#retries.notifications(),
    };
  }

  #took(check: string, ms: number): void {
    const ofCheck = this.#byCheck.get(check) ?? new WireLatencies();
    this.#byCheck.set(check, ofCheck);
    for (const latencies of [this.#latencies, ofCheck]) latencies.add(ms);
  }
}

/** The status in the words of an endpoint: `500`, `200 after 3s`; nothing where it gave none. */
function spokenStatus(answered: string): number | undefined {
  const [, status] = /^(\d{3})\b/.exec(answered) ?? [];
  return status === undefined ? undefined : Number(status);
}

function endOf(status: number | undefined, accepted: readonly number[] | undefined): DeliveryEnd {
  if (status === undefined) return 'unanswered';
  const good = accepted === undefined ? statusClass(status) === 2 : accepted.includes(status);
  return good ? 'accepted' : 'refused';
}

/** That a target which the kit did not start came back, beside that it had gone. */
function noteReturn(deaths: ProcessChanged[], { detail = '' }: ProcessChanged): void {
  const last = deaths.pop();
  if (last) deaths.push({ ...last, detail: `${last.detail ?? ''}; something else started it again, ${detail}` });
}
