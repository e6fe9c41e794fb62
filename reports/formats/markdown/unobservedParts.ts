import { amount } from '../../text/amount.ts';
import type { Part } from './fitting.ts';
import { code, folded, prose } from './markdownText.ts';
import type { CheckResult, RunSummary } from '../../model/runSummary.ts';

/** What was not observed, with the reason, which says what would make it observable; folded. */
export function unobservedParts({ checks }: RunSummary): readonly Part[] {
  return [
    ...byReason('Not observed', 'not-observable', checks),
    ...byReason('Inconclusive', 'inconclusive', checks),
    ...byReason('Errors of the kit itself', 'errored', checks),
  ];
}

const most = 40;

function byReason(title: string, outcome: CheckResult['outcome'], checks: readonly CheckResult[]): readonly Part[] {
  const mine = checks.filter((check) => check.outcome === outcome);
  if (mine.length === 0) return [];
  const groups = [...Map.groupBy(mine, ({ reason = 'no reason was given' }) => reason)];
  const lines = groups.slice(0, most).map(([reason, members]) => `- ${prose(reason, 300)}: ${namesOf(members)}`);
  const more = groups.length > most ? [`- ${amount(groups.length - most, 'more reason')}`] : [];
  const text = folded(`${title}: ${amount(mine.length, 'check')}`, [...lines, ...more].join('\n'));
  return [{ text, name: `what is under “${title}”` }];
}

function namesOf(members: readonly CheckResult[]): string {
  const ids = members.slice(0, 6).map(({ id, requirements }) => {
    return `${code(id, 100)} (${requirements.map((name) => prose(name, 40)).join(', ')})`;
  });
  return [...ids, ...(members.length > 6 ? [`and ${amount(members.length - 6, 'more check')}`] : [])].join(', ');
}
