import type { ReportedSearch, RunStarted } from '../../model/events.ts';
import { amount } from '../../text/amount.ts';
import { timeLimitText } from '../../text/timeLimitText.ts';
import type { Page } from './page.ts';
import { budgetText } from './searchFigures.ts';
import { wrap } from './wrap.ts';

/** What is known of a run before it has begun. */
interface Opening extends Pick<RunStarted, 'kit' | 'contract' | 'target'> {
  readonly run: Pick<RunStarted['run'], 'seed' | 'intensity' | 'timeLimit'>;
  readonly checks: readonly unknown[];
  readonly search?: ReportedSearch;
}

/** What a run is about, before anything of it is known. */
export function openingLines({ kit, contract, target, run, checks, search }: Opening, page: Page): readonly string[] {
  const plan = search
    ? `a search ${budgetText(search)}, seed ${run.seed}: ${amount(checks.length, 'requirement')} can be found broken`
    : [amount(checks.length, 'check'), `intensity ${run.intensity}`, ...timeText(run), `seed ${run.seed}`].join(', ');
  return [
    ...wrap(`${kit.name} ${kit.version}: ${target.kind} ${target.address}`, page.width).map((line) =>
      page.paint('bold', line),
    ),
    ...wrap(`tested against ${contract.title} ${contract.version}`, page.width),
    ...leftOutText(contract, page),
    ...wrap(plan, page.width),
    '',
  ];
}

/** Said once: the checks about these are not listed at all. */
function leftOutText({ leftOut = [] }: Opening['contract'], page: Page): readonly string[] {
  if (leftOut.length === 0) return [];
  return wrap(`not in this contract, so not tested: ${leftOut.join(', ')}`, page.width);
}

function timeText({ timeLimit }: Opening['run']): readonly string[] {
  return timeLimit === undefined ? [] : [`at most ${timeLimitText(timeLimit)} (--time)`];
}
