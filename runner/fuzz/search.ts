import type { FuzzFigures } from '../../reports/model/events.ts';
import { partingTime } from '../engine/ending.ts';
import type { Caused } from '../../suites/fuzz/fuzzing.ts';
import { described } from '../errors.ts';
import { Corpus, type CorpusFile } from './corpus.ts';
import { culpritOf, death, isDeath, suspectedOf, triage } from './culprit.ts';
import { Drawing } from './drawing.ts';
import { Failures, type RawFailure } from './failures.ts';
import { fuzzChecks, type FuzzCheck, type FuzzFound, type FuzzTarget, type Played } from './fuzzTarget.ts';
import { type Search, aloneShare, longestTimer, shrinkingShare, sizes, times } from './fuzzPlan.ts';
import { Lookout, type QuietEvents } from './lookout.ts';
import { genesOf, kindsOf, type Program, stepsOf } from './gene.ts';
import { whileOn } from './sequencePlayer.ts';
import { settleFailure, sortOf } from './settleFailure.ts';

/** What a search is part of. */
export interface SearchRun {
  readonly search: Search;
  readonly seed: number;
  readonly file: CorpusFile;
  readonly events: QuietEvents;
}

/**
 * Searches for sequences that break a requirement: batches of them are played side by side, and those that hold the
 * target under process control in turns with them; what brought something new is kept and changed further.
 */
export class FuzzSearch<F extends FuzzFound> {
  readonly #target: FuzzTarget<F>;
  readonly #run: SearchRun;
  readonly #corpus = new Corpus();
  readonly #drawing: Drawing<F>;
  readonly #failures = new Failures();
  readonly #checks: readonly FuzzCheck[];
  /** How many sequences looked at each requirement. */
  readonly #judged = new Map<string, number>();
  readonly #spent = { beside: 0, alone: 0 };
  #size: number;
  /** Whether sequences failed side by side that did not fail alone: then half of the batches are played one by one. */
  #interferes = false;
  #turns = 0;
  #cases = 0;
  #steps = 0;
  #silence: string | undefined;
  /** Failures that are looked at. */
  #shrinking = 0;
  #saved = { changes: 0, at: 0 };
  /** What failures showed that were left aside, by requirement: it does not hold, whatever others showed. */
  readonly #untried = new Map<string, string>();

  constructor(target: FuzzTarget<F>, run: SearchRun) {
    this.#target = target;
    this.#run = run;
    this.#drawing = new Drawing(target, this.#corpus, { seed: run.seed, feedback: run.search.feedback });
    // A slow target has to be through with the first ones in time.
    this.#size = Math.min(target.first, Math.max(1, Math.floor(this.#time / times.firstOnes)));
    this.#checks = fuzzChecks(target.model, target.contract, run.search.requirements);
  }

  get failures(): Failures {
    return this.#failures;
  }

  judged(requirement: string): number {
    return this.#judged.get(requirement) ?? 0;
  }

  /** Why a sequence showed nothing, the last reason. */
  get silence(): string | undefined {
    return this.#silence;
  }

  get checks(): readonly FuzzCheck[] {
    return this.#checks;
  }

  /** What was seen of a failure that was left aside. */
  untried(requirement: string): string | undefined {
    return this.#untried.get(requirement);
  }

  async run(): Promise<void> {
    const { search, file, events } = this.#run;
    const lookout = new Lookout(this.#target, events);
    if (search.feedback) this.#drawing.queue(file.read());
    const timer = setInterval(() => this.#report(), times.figures);
    const last = this.#lookingLast(lookout);
    try {
      while (!this.#isOver()) await this.#turn();
      if (!this.#target.ended.aborted) await whileOn(this.#target.ended, this.#target.conclude());
      if (!this.#target.ended.aborted) await whileOn(this.#target.ended, lookout.lookLast());
    } finally {
      clearInterval(timer);
      clearTimeout(last);
      this.#report();
      this.#save();
    }
  }

  /** Where something is still under way just before the run ends. */
  #lookingLast(lookout: Pick<Lookout<F>, 'lookOnce'>): NodeJS.Timeout | undefined {
    if (this.#time === Infinity) return undefined;
    const ms = this.#until - times.lastLook - this.#target.elapsed();
    return setTimeout(() => void lookout.lookOnce(times.lastLook), Math.max(0, Math.min(ms, longestTimer)));
  }

  #isOver(): boolean {
    const { runs = Infinity, untilFailure } = this.#run.search.budget;
    if (this.#target.ended.aborted || this.#target.elapsed() >= this.#searchesUntil || this.#cases >= runs) return true;
    return untilFailure && this.#failures.confirmed.length > 0;
  }

  get #time(): number {
    return this.#run.search.budget.time ?? Infinity;
  }

  /** In milliseconds of the run, as all moments are. */
  get #until(): number {
    return this.#time - partingTime(this.#time);
  }

  get #searchesUntil(): number {
    return this.#until - Math.min(this.#time * shrinkingShare, times.lastShrinking);
  }

  async #turn(): Promise<void> {
    const target = this.#target;
    const alone = target.hasProcessControl && this.#spent.alone < this.#spent.beside * aloneShare;
    const singly = !alone && this.#interferes && target.sharesWaits && this.#turns++ % 2 === 0;
    const programs = this.#next(alone).slice(0, singly ? sizes.singly : undefined);
    const from = target.elapsed();
    const deaths = target.deaths;
    const isBeside = !alone && !singly;
    const played = await target.play(programs.map(stepsOf), !isBeside, {
      until: this.#searchesUntil,
      watched: isBeside,
    });
    const took = target.elapsed() - from;
    const died = target.deaths > deaths;
    this.#spent[alone ? 'alone' : 'beside'] += Math.max(took, 1);
    const index = this.#cases;
    const raw = programs.flatMap((program, place) => this.#learn(program, played[place]!, alone, index + place));
    if (isBeside) this.#adapt(took, died);
    if (played.some(({ trial }) => trial.unanswered)) await target.recover();
    target.forget();
    await this.#settle(raw, isBeside ? programs : []);
    if (!alone && died) await this.#convict(programs, played, index);
    if (this.#target.elapsed() - this.#saved.at > times.saving) this.#save();
  }

  /** A batch should take long enough for its waits to be worth it, and not so long that nothing is learned meanwhile. */
  #adapt(took: number, died: boolean): void {
    if (died) this.#size = sizes.afterDeath;
    else if (took < times.shortBatch) this.#size = Math.min(this.#size * 2, sizes.most);
    else if (took > times.longBatch) this.#size = Math.max(Math.ceil(this.#size / 2), 1);
  }

  #next(alone: boolean): readonly Program[] {
    const { runs = Infinity } = this.#run.search.budget;
    const size = Math.min(alone ? sizes.alone : this.#size, this.#target.most, runs - this.#cases);
    return Array.from({ length: size }, (_, place) => this.#drawing.draw(alone, this.#cases, place));
  }

  /** @returns the failure that it shows, where it is worth looking at */
  #learn(program: Program, { trial, judged, features }: Played<F>, alone: boolean, index: number): RawFailure<F>[] {
    if (trial.kind === 'ended') return [];
    this.#cases += 1;
    this.#steps += program.steps.length;
    if (trial.kind === 'errored')
      this.#run.events.emit({ type: 'kit.errored', where: 'fuzz', ...described(trial.error) });
    if (trial.kind === 'unproven' || trial.kind === 'unobservable') this.#silence = trial.reason;
    // A target that still runs after a sequence could have died of it.
    const shown = new Set([...judged, ...(trial.kind === 'held' ? [this.#target.model.fatal] : [])]);
    for (const id of shown) this.#judged.set(id, (this.#judged.get(id) ?? 0) + 1);
    this.#corpus.learn({ genes: genesOf(program), alone }, features);
    if (trial.kind !== 'broken') return [];
    const requirement = this.#requirementOf(trial.finding);
    if (requirement === undefined) return [];
    if (!judged.includes(requirement)) this.#judged.set(requirement, this.judged(requirement) + 1);
    const { finding, unanswered = false } = trial;
    // What of a batch the target has died of is looked for by playing it again.
    if (!alone && isDeath(finding) && this.#target.hasProcessControl && !this.#target.ended.aborted) return [];
    const at = this.#target.elapsed();
    return [{ program, finding, requirement, alone, recurred: false, unanswered, index, at }];
  }

  /** The first requirement that is looked for. */
  #requirementOf({ requirements }: F): string | undefined {
    const known = new Set<string>(this.#checks.flatMap((check) => check.requirements));
    return requirements.find((id) => known.has(id));
  }

  /** Looks at what may be new, and remembers what was left aside. */
  async #settle(raw: readonly RawFailure<F>[], batch: readonly Program[]): Promise<void> {
    const left = new Map(raw.map((failure) => [failure.index, failure]));
    const news = raw.filter((failure) => this.#failures.isNews(sortOf(failure)));
    this.#shrinking = new Set(news.map(({ requirement, finding }) => `${requirement} ${finding.cause}`)).size;
    try {
      if (news.length > 0) {
        this.#report();
        await this.#settleNews(news, batch, ({ index }) => left.delete(index));
      }
    } finally {
      this.#shrinking = 0;
      for (const { requirement, finding } of left.values()) this.#untried.set(requirement, finding.actual);
    }
  }

  /** What fails again alone counts first; of what does not, one of a sort is looked at. */
  async #settleNews(
    news: readonly RawFailure<F>[],
    batch: readonly Program[],
    onSettled: (failure: RawFailure<F>) => void,
  ): Promise<void> {
    const sorted = await triage(this.#target, news);
    this.#interferes ||= sorted.some(({ recurred, alone }) => !recurred && !alone);
    let flaky = 0;
    for (const failure of sorted) {
      const sort = sortOf(failure);
      const { recurred } = failure;
      if (this.#target.ended.aborted && this.#failures.has(sort)) continue;
      if (!this.#failures.isNews(sort) || (!recurred && this.#failures.isFlaky(sort))) continue;
      // Much that fails beside others only has one reason.
      if (!recurred && failure.finding.absence && flaky++ > 0) continue;
      if (recurred || !failure.finding.absence) this.#failures.count(sort);
      await this.#settleOne(failure, batch);
      onSettled(failure);
      const isDone = this.#isOver() && this.#failures.confirmed.length > 0;
      if (isDone && !this.#target.ended.aborted) return;
    }
  }

  async #settleOne(failure: RawFailure<F>, batch: readonly Program[] = []): Promise<void> {
    const reported = await settleFailure(this.#target, this.#failures, failure, {
      until: this.#shrinksUntil(failure.finding),
      requirementOf: (found) => this.#requirementOf(found),
      batch,
    });
    if (reported) this.#run.events.emit({ type: 'fuzz.failed', ...reported });
  }

  #shrinksUntil(found: Caused): number {
    const ms = isDeath(found) ? times.shrinkingDeath : times.shrinking;
    return Math.min(this.#target.elapsed() + ms, this.#until);
  }

  /** The target died while these were played. */
  async #convict(programs: readonly Program[], played: readonly Played<F>[], index: number): Promise<void> {
    if (this.#run.search.budget.untilFailure && this.#failures.confirmed.length > 0) return;
    const { fatal } = this.#target.model;
    const suspected = suspectedOf(programs, played, index).filter(({ program }) =>
      this.#failures.isNews({ requirement: fatal, cause: death, kinds: kindsOf(program) }),
    );
    const until = this.#shrinksUntil({ cause: death });
    const goesOn = (): boolean => !this.#target.ended.aborted && this.#target.elapsed() < until;
    const culprit = await culpritOf(this.#target, suspected, goesOn);
    // What it died of is not known, and it was not seen to go on serving.
    if (culprit === undefined && suspected.length > 0) this.#untried.set(fatal, 'it ended by itself');
    const requirement = culprit && this.#requirementOf(culprit.finding);
    if (culprit === undefined || requirement === undefined) return;
    const known = { alone: true, recurred: true, unanswered: false } as const;
    const failure = { ...culprit, ...known, requirement, at: this.#target.elapsed() };
    this.#failures.count(sortOf(failure));
    return this.#settleOne(failure);
  }

  #report(): void {
    this.#run.events.emit({ type: 'fuzz.progressed', ...this.#figures() });
  }

  #figures(): FuzzFigures {
    const { confirmed, flaky } = this.#failures;
    const { events, search } = this.#run;
    return {
      cases: this.#cases,
      steps: this.#steps,
      distinct: this.#corpus.distinct,
      corpus: search.feedback ? this.#corpus.size : 0,
      failures: confirmed.length,
      flaky: flaky.length,
      memory: process.memoryUsage.rss(),
      deliveries: events.deliveries,
      ...(this.#shrinking > 0 && { shrinking: this.#shrinking }),
      ...(this.#target.model.subject === 'service' && { calls: events.calls }),
    };
  }

  #save(): void {
    const { search, file } = this.#run;
    const { changes } = this.#corpus;
    if (search.feedback && changes > this.#saved.changes) file.writeOr(this.#corpus.kept, search.warn);
    this.#saved = { changes, at: this.#target.elapsed() };
  }
}
