import type {
  CheckFinished,
  ControlFinished,
  FuzzFailed,
  FuzzProgressed,
  KitErrored,
  Learned,
  LifeChanged,
  Observed,
  RunEvent,
  RunFinished,
  RunStarted,
  TargetLost,
  TargetSaid,
} from './events.ts';
import { type Opinions, noOpinions, recordDifference } from './secondOpinion.ts';
import { WireTally } from './wireTally.ts';
import type { Observation, LearnedAssumption } from './runSummary.ts';

/** What the events of a run have said so far. Deliveries and calls are added up. */
export interface Seen {
  started?: RunStarted;
  control?: ControlFinished;
  lost?: TargetLost;
  finished?: RunFinished;
  deliveries: number;
  calls: number;
  readonly wire: WireTally;
  ms: number;
  readonly running: Set<string>;
  readonly results: Map<string, CheckFinished>;
  /** Where a search stood last. */
  figures?: FuzzProgressed;
  /** How many failures it had told before it began to shrink those that it shrinks now. */
  toldBefore: number;
  /** What it has found. */
  readonly found: FuzzFailed[];
  readonly observations: Map<string, Observation>;
  /** By key. */
  readonly learned: Map<string, LearnedAssumption>;
  readonly opinions: Opinions;
  readonly leftOver: Set<string>;
  /** The ends that nobody asked for, of a target whose life is in the kit's hands. */
  readonly deaths: LifeChanged[];
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
    toldBefore: 0,
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
      seen.finished = event;
      return;
    default:
      recordWork(seen, event);
  }
}

type Work = Exclude<
  RunEvent,
  { type: 'run.started' | 'control.finished' | 'target.lost' | 'kit.errored' | 'left.over' | 'run.finished' }
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
    case 'check.finished':
      seen.results.set(event.check, event);
      return;
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
      if (event.change === 'died') seen.deaths.push(event);
      return;
    case 'target.said':
      seen.said = event;
      return;
    case 'opinion.differed':
      return recordDifference(seen.opinions, event);
    case 'opinion.finished':
      seen.opinions.finished = event;
  }
}

/** Sequences are played and failures shrunk in turns: where the number of sequences grew, other failures are shrunk. */
function recordFigures(seen: Seen, event: FuzzProgressed): void {
  if (event.cases !== seen.figures?.cases || seen.figures.shrinking === undefined) seen.toldBefore = seen.found.length;
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
