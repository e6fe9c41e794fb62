import fc from 'fast-check';

import type { RequirementId } from '../../spec/names.ts';
import type { Moment } from '../../reports/model/processEvents.ts';
import type { Caused, FuzzStep, SequenceResult } from '../../suites/fuzz/fuzzing.ts';
import type { Traits } from '../engine/agreement.ts';
import type { GeneratedCase } from '../engine/cases.ts';
import type { RunContext } from '../engine/runContext.ts';
import type { Trial } from '../engine/trial.ts';
import { sequenceAftermath } from '../engine/death.ts';
import type { Activity } from '../engine/activity.ts';
import type { Judge } from '../engine/caseTrier.ts';
import type { Trier } from '../engine/propertyRun.ts';
import { death } from './culprit.ts';
import { fuzzCheckId, type FuzzModel, type Played } from './fuzzTarget.ts';

/** Lines of output that are looked at after a sequence that ran alone. */
const lines = 200;

/** The model, as far as it plays. */
interface Player<Kit, F> extends FuzzModel {
  run(kit: Kit, steps: readonly FuzzStep[]): Promise<SequenceResult<F>>;
}

/** What tries a sequence as the case of a check. */
interface SequenceTrier<F> extends Pick<Trier<F>, 'try' | 'over'> {
  readonly activity: Activity;
  set property(judge: Judge<F>);
  timelineOf(finding: F): readonly Moment[] | undefined;
  traitsOf(generated: GeneratedCase): Traits | undefined;
}

/** A sequence as a check, of whatever side. */
export interface SequenceCheck<Kit, F> {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly [RequirementId];
  readonly needs: readonly 'process-control'[];
  readonly fatal: RequirementId;
  readonly hint: string;
  cases(): readonly [];
  run(kit: Kit, value: unknown): Promise<F | undefined>;
}

/** How one sequence is played. */
interface OnePlay<F> {
  readonly trier: SequenceTrier<F>;
  readonly index: number;
  /** Whether nothing else is sent to the target meanwhile. */
  readonly alone: boolean;
  /** Whether a death is waited for after it, where it is played alone. */
  readonly watched: boolean;
  /** Whether it may no longer begin. Default: it may. */
  readonly isLate?: () => boolean;
}

/** Patterns that are known at most. */
const most = 2000;

/** Knows the sorts of lines that a target has written. */
export class OutputPatterns {
  readonly #known = new Set<string>();

  /** The sorts of lines that were not there before. */
  fresh(lines: readonly string[]): readonly string[] {
    const patterns = [...new Set(lines.map(outputPattern))].filter((pattern) => !this.#known.has(pattern));
    const few = patterns.slice(0, most - this.#known.size);
    for (const pattern of few) this.#known.add(pattern);
    return few;
  }
}

/** Characters of a line that count. */
const shown = 120;

/** Plays sequences of a model, each as the case of a check, and keeps what a search has to know of them. */
export class SequencePlayer<Kit, F extends object> {
  readonly #model: Player<Kit, F>;
  readonly #run: Pick<RunContext, 'ended' | 'guardian' | 'targetProcess'>;
  readonly #patterns = new OutputPatterns();
  readonly #timelines = new WeakMap<F, readonly Moment[]>();
  /** Sequences at work that hold process control of the target. */
  #held = 0;

  constructor(model: Player<Kit, F>, run: Pick<RunContext, 'ended' | 'guardian' | 'targetProcess'>) {
    this.#model = model;
    this.#run = run;
  }

  get isHeld(): boolean {
    return this.#held > 0;
  }

  timelineOf(finding: F): readonly Moment[] | undefined {
    return this.#timelines.get(finding);
  }

  controlsProcess(steps: readonly FuzzStep[]): boolean {
    return steps.some((step) => this.#model.controlsProcess(step));
  }

  /** The check whose cases the sequences are. */
  check(controlsProcess: boolean): SequenceCheck<Kit, F> {
    const { fatal, subject } = this.#model;
    return {
      id: fuzzCheckId(subject, fatal),
      title: '',
      requirements: [fatal],
      needs: controlsProcess ? ['process-control'] : [],
      fatal,
      hint: '',
      cases: () => [],
      run: async (kit: Kit, value: unknown): Promise<F | undefined> => {
        const sequence = value as SequenceCase<F>;
        sequence.result = await this.#model.run(kit, sequence.steps);
        return sequence.result.finding;
      },
    };
  }

  async play(steps: readonly FuzzStep[], how: OnePlay<F>): Promise<Played<F & Caused>> {
    const { trier, alone, index, isLate = () => false } = how;
    const { generated, sequence } = sequenceCase<F>(steps, index);
    const later: { trial?: Trial<F> } = {};
    trier.property = {
      convict: (_, finding) => (later.trial = { kind: 'broken', finding }),
      doubt: (_, reason, finding) => {
        later.trial = finding ? { kind: 'broken', finding } : { kind: 'unproven', reason, final: false };
      },
    };
    const trial = await trier.activity.run(async (): Promise<Trial<F>> => {
      if (isLate() || (await trier.over())) return { kind: 'ended' };
      return this.#tried(generated, steps, how);
    });
    const decisive = later.trial && trial.kind !== 'broken' ? later.trial : trial;
    const features = [...(sequence.result?.features ?? []), ...(alone ? this.#said() : [])];
    const requests = trier.traitsOf(generated)?.requests ?? 0;
    return { ...this.#played(decisive, sequence, trier, features), requests };
  }

  /** Until what was played can no longer be what the target dies of. */
  async watch(): Promise<void> {
    const { guardian, ended } = this.#run;
    const { deaths } = guardian;
    await whileOn(ended, guardian.untilDeath(sequenceAftermath));
    // Else the next one would never be sure to be what the target dies of.
    if (guardian.deaths === deaths) guardian.absolve();
  }

  async #tried(generated: GeneratedCase, steps: readonly FuzzStep[], { trier, alone, watched }: OnePlay<F>) {
    const controlsProcess = Number(this.controlsProcess(steps));
    this.#held += controlsProcess;
    try {
      const tried = await trier.try(generated);
      if (alone && watched && tried.kind !== 'broken') await this.watch();
      return tried;
    } finally {
      this.#held -= controlsProcess;
    }
  }

  #played(
    trial: Trial<F>,
    { result }: SequenceCase<F>,
    trier: SequenceTrier<F>,
    features: readonly string[],
  ): Omit<Played<F & Caused>, 'requests'> {
    const judged = result?.judged ?? [];
    if (trial.kind !== 'broken') return { trial, judged, features };
    const { finding } = trial;
    // What a sequence finds says why; what a death is reported as does not.
    const { cause = death } = finding as F & Partial<Caused>;
    const caused = { ...finding, cause };
    const timeline = trier.timelineOf(finding);
    if (timeline) this.#timelines.set(caused, timeline);
    return { trial: { ...trial, finding: caused }, judged, features };
  }

  #said(): readonly string[] {
    const said = this.#run.targetProcess?.target.tail(lines) ?? [];
    return this.#patterns.fresh(said).map((pattern) => `said ${pattern}`);
  }
}

/**
 * A line of a target's output without what is different each time: numbers, ids, times and quoted values.
 *
 * @example outputPattern('12:01:33 took 15 ms for "7f3a"') === '# took # ms for ""'
 */
export function outputPattern(line: string): string {
  return line
    .replaceAll(/"[^"]*"|'[^']*'/g, '""')
    .replaceAll(/[\w-]*\d[\w:.,-]*/g, '#')
    .replaceAll(/(?:#\s*)+/g, '# ')
    .trim()
    .slice(0, shown);
}

/** Waits for the work, and no longer than until the run ends. */
export async function whileOn(ended: AbortSignal, work: Promise<unknown>): Promise<void> {
  if (ended.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onEnd = (): void => resolve();
  ended.addEventListener('abort', onEnd, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    ended.removeEventListener('abort', onEnd);
  }
}

/** A sequence as a case of a check, and what it showed. */
export interface SequenceCase<Found> {
  readonly steps: readonly FuzzStep[];
  result: SequenceResult<Found> | undefined;
}

/** The case that a trier is given for a sequence. */
export function sequenceCase<Found>(steps: readonly FuzzStep[], index: number) {
  const sequence: SequenceCase<Found> = { steps, result: undefined };
  const drawn = () => new fc.Value<unknown>(sequence, undefined);
  const arbitrary = fc.constant<unknown>(null);
  const generated: GeneratedCase = { arbitrary, value: sequence, drawn, path: String(index), index };
  return { sequence, generated };
}
