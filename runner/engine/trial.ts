import { OutOfTime, Undecidable, Unobservable, Unproven } from '../../suites/check.ts';
import type { TargetDeath } from '../process/supervisedCase.ts';
import type { GeneratedCase } from './cases.ts';
import { RunEnded } from './ending.ts';

/** How one try of one case ended. `errored` is a fault of the kit, `ended` says that the run was over. */
export type Trial<F> = (
  | { readonly kind: 'held' }
  /** `doubted`: the kit was kept from its work meanwhile, so that an absence which does not recur is none. */
  | { readonly kind: 'broken'; readonly finding: F; readonly doubted?: true }
  /**
   * `final`: trying again would show nothing either. `alone`: other cases may show something all the same. `doubted`: it failed, but the kit itself may have brought that about.
   * `disturbed`: the target died meanwhile, of another case as far as is known.
   */
  | {
      readonly kind: 'unproven';
      readonly reason: string;
      readonly final: boolean;
      readonly alone?: true;
      readonly doubted?: true;
      readonly disturbed?: true;
      /** Requirements that it speaks against. */
      readonly doubts?: readonly string[];
    }
  | { readonly kind: 'unobservable'; readonly reason: string }
  | { readonly kind: 'errored'; readonly error: unknown }
  | { readonly kind: 'ended' }
) & {
  /** Whether the case failed, or showed nothing, because no answer came in time. */
  readonly unanswered?: boolean;
  /** True where it showed nothing, and the last answer in it was none that can be judged. */
  readonly unusable?: true;
  /** Where the target died of it, as far as can be seen: that death. */
  readonly fatal?: TargetDeath | undefined;
};

/** A try that showed something broken. */
export type BrokenTrial<F> = Extract<Trial<F>, { readonly kind: 'broken' }>;

/** A case and how its last try ended. */
export interface Tried<F> {
  readonly case: GeneratedCase;
  readonly trial: Trial<F>;
}

/** Tries a case once. To be called from within a place of the activity. */
export async function tryCase<F>(ended: AbortSignal, run: () => Promise<F | undefined>): Promise<Trial<F>> {
  if (ended.aborted) return { kind: 'ended' };
  try {
    const finding = await run();
    return finding === undefined ? { kind: 'held' } : { kind: 'broken', finding };
  } catch (error) {
    if (error instanceof RunEnded || ended.aborted) return { kind: 'ended' };
    if (error instanceof Unproven) return unproven(error);
    if (error instanceof Unobservable) return { kind: 'unobservable', reason: error.message };
    return { kind: 'errored', error };
  }
}

function unproven(error: Unproven): Extract<Trial<never>, { kind: 'unproven' }> {
  const { message: reason, doubts } = error;
  const trial = { kind: 'unproven', reason, ...(doubts.length > 0 && { doubts }) } as const;
  return error instanceof Undecidable
    ? { ...trial, final: true, alone: true }
    : { ...trial, final: error instanceof OutOfTime };
}

/** An absence counts where it recurs; where it does not, it came of the machine that kept the kit from its work. */
export function doubted<F extends Found>(trial: Trial<F>): Trial<F> {
  return trial.kind === 'broken' && trial.finding.absence ? { ...trial, doubted: true } : trial;
}

/** Whether the cases that have not begun would only cost time: no answer comes, or the time is over. */
export function isHopeless<F>(trial: Trial<F>): boolean {
  return (
    (trial.kind === 'broken' && trial.unanswered === true) ||
    (trial.kind === 'unproven' && trial.final && trial.alone !== true)
  );
}

/** Whether trying again may still show something. */
export function isOpen<F>(trial: Trial<F>): trial is Extract<Trial<F>, { kind: 'unproven' }> {
  return trial.kind === 'unproven' && !trial.final;
}

/** What every finding tells a property. */
export interface Found {
  readonly requirements: readonly string[];
  /** It may have been chance, and must recur. */
  readonly absence: boolean;
  /** Where it is about effects. One that is absent may be among some that are lost by chance, whatever is sent: it must recur twice. */
  readonly effects?: readonly object[];
  readonly actual: string;
  /** True where the target died of the case, and nobody had asked for that. */
  readonly died?: true;
  /** Where it did not end, but answers nobody any more (`perhaps` if other cases were at work by then), or refuses everybody. */
  readonly hung?: 'of it' | 'perhaps' | 'refuses all';
}

/** A case that shows a requirement broken. */
export interface Failure<F> {
  readonly case: GeneratedCase;
  readonly finding: F;
}

/** The cases that show something broken. */
function broken<F>(tried: readonly Tried<F>[]) {
  return tried.flatMap(({ case: one, trial }) => (trial.kind === 'broken' ? [{ case: one, trial }] : []));
}

/** The same in two groups: those that break a MUST come first, for of each check one failure is reported. */
export function byWeight<F extends Found>(tried: readonly Tried<F>[], isMust: (id: string) => boolean = () => true) {
  const { musts = [], others = [] } = Object.groupBy(broken(tried), ({ trial }) =>
    trial.finding.requirements.some((id) => isMust(id)) ? 'musts' : 'others',
  );
  return [musts, others] as const;
}

/** Whether another case broke the same requirement. */
export function isBrokenBeside<F extends Found>(
  tried: readonly Tried<F>[],
  generated: GeneratedCase,
  { requirements: [id] }: F,
): boolean {
  return broken(tried).some(({ case: one, trial }) => one !== generated && trial.finding.requirements[0] === id);
}

/** The first case that shows something broken and cannot have been chance; of a MUST, if any is. */
export function firstCertain<F extends Found>(
  tried: readonly Tried<F>[],
  isMust?: (id: string) => boolean,
): Failure<F> | undefined {
  const first = byWeight(tried, isMust)
    .flat()
    .find(({ trial }) => !trial.finding.absence);
  return first && { case: first.case, finding: first.trial.finding };
}

/** Why a failure does not count, as its last try ended. @param run - whether the run has ended */
export function whyUnconfirmed<F>(last: Trial<F>, run: { readonly aborted: boolean }): string {
  if (last.kind === 'unproven') return `a failure could be neither confirmed nor ruled out (${last.reason})`;
  if (last.kind !== 'ended') return 'a failure did not recur with fresh ids';
  return `${run.aborted ? 'the run ended' : 'the time for it was over (--time)'} before a failure could be confirmed`;
}

/** Why nothing was looked at, where every case says so. */
export function unseen<F>(tried: readonly Tried<F>[]): { readonly unobservable?: string } {
  const reasons = tried.flatMap(({ trial }) => (trial.kind === 'unobservable' ? [trial.reason] : []));
  const [reason] = reasons;
  return reason !== undefined && reasons.length === tried.length ? { unobservable: reason } : {};
}
