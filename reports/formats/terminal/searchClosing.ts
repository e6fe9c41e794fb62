import { searchFindings, unsettledFailures } from '../../model/searchFindings.ts';
import { amount, duration, grouped } from '../../text/amount.ts';
import type { Page } from './page.ts';
import { wrap } from './wrap.ts';
import type { RunSummary, SearchResult } from '../../model/runSummary.ts';

/** What a search did, as rows of the closing lines. */
export function searchRows({ run, target }: RunSummary, search: SearchResult): readonly (readonly [string, string])[] {
  const { cases, steps, distinct, corpus } = search.figures;
  const rate = run.durationMs > 0 ? ` (${grouped((cases * 1000) / run.durationMs)}/s)` : '';
  return [
    ['Sequences', `${grouped(cases)} in ${duration(run.durationMs)}${rate}, with ${amount(steps, 'step')} in all`],
    [
      'Answers',
      `${amount(distinct, 'distinct answer')} of the ${target.kind}; ${amount(corpus, 'sequence')} in the corpus`,
    ],
    ['Failures', searchFindings(search)],
  ];
}

/** What it means where a search ended without a failure. */
export function searchCaution({ search, requirements, target }: RunSummary, page: Page): readonly string[] {
  if (search === undefined || search.figures.failures > 0 || search.figures.cases === 0) return [];
  if (unsettledFailures(search) > 0) return ['', ...wrap(unsettledText, page.width)];
  const judged = requirements.filter(({ outcome }) => outcome === 'holds').length;
  const text = `${judged === 0 ? 'That shows nothing: no requirement was judged.' : noProof(target.kind, judged)} A longer search, or one with another seed, may find more; \`seaworthy ${target.kind}\` tries what the contract says one by one.`;
  return ['', ...wrap(text, page.width)];
}

const unsettledText =
  'Nothing is known of the failures that it saw and could not try again: the same search, with more time, may find them once more.';

function noProof(kind: string, judged: number): string {
  const looked = judged === 1 ? 'the one requirement that was' : `one of the ${grouped(judged)} requirements that were`;
  return `That is no proof: none of these sequences showed the ${kind} break ${looked} looked at.`;
}
