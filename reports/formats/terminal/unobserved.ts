import { amount } from '../../text/amount.ts';
import { outcomeSign } from './outcomeSign.ts';
import type { Page } from './page.ts';
import { indent, wrap } from './wrap.ts';
import type { CheckResult } from '../../model/runSummary.ts';

/** The checks that ended with this outcome, one entry for each reason instead of one for each check. */
export function byReason(
  title: string,
  checks: readonly CheckResult[],
  outcome: 'not-observable' | 'inconclusive' | 'errored',
  page: Page,
): readonly string[] {
  const groups = Map.groupBy(
    checks.filter((check) => check.outcome === outcome),
    ({ reason = 'no reason was given' }) => reason,
  );
  if (groups.size === 0) return [];
  const entries = [...groups].flatMap(([reason, members]) => {
    const [first = '', ...rest] = wrap(reason, page.width - 2);
    const ids = [...new Set(members.flatMap(({ requirements }) => requirements))].join(', ');
    const names = members.length > 3 ? [] : members.map(({ id }) => id);
    const whose = names.length > 0 ? `${names.join(', ')} (${ids})` : `${amount(members.length, 'check')} of ${ids}`;
    return [
      `${outcomeSign(outcome, page)} ${first}`,
      ...indent(rest, 2),
      ...indent(
        wrap(whose, page.width - 4).map((line) => page.paint('dim', line)),
        4,
      ),
    ];
  });
  return [page.paint('bold', title), '', ...entries];
}
