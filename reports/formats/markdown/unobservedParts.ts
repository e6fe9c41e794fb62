import { code, folded, type Part, prose } from './markdownText.ts';
import type { RunSummary, CheckResult } from '../../model/runSummary.ts';
import { amount } from '../../text/amount.ts';
import { byReason, unexplained } from '../../model/unobserved.ts';

/** What was not observed, with the reason, which says what would make it observable; folded. */
export function unobservedParts(summary: RunSummary): readonly Part[] {
  const { checks } = summary;
  return [
    ...reasonPart('Not observed', 'not-observable', checks),
    ...reasonPart('Inconclusive', 'inconclusive', checks),
    ...unexplainedPart(summary),
    ...reasonPart('Errors of the kit itself', 'errored', checks),
  ];
}

/** The undecided requirements that no check above explains. */
function unexplainedPart(summary: RunSummary): readonly Part[] {
  const groups = [...Map.groupBy(unexplained(summary), ({ reason }) => reason)];
  if (groups.length === 0) return [];
  const count = groups.reduce((sum, [, rows]) => sum + rows.length, 0);
  const lines = groups.map(([reason, rows]) => {
    return `- ${rows.map(({ id, outcome }) => `${prose(id, 60)} (${outcome})`).join(', ')}: ${prose(reason, 400)}`;
  });
  const text = folded(`Also undecided: ${amount(count, 'requirement')}`, lines.join('\n'));
  return [{ text, name: 'what is under “Also undecided”' }];
}

const most = 40;

function reasonPart(
  title: string,
  outcome: 'not-observable' | 'inconclusive' | 'errored',
  checks: readonly CheckResult[],
): readonly Part[] {
  const groups = byReason(checks, outcome);
  if (groups.length === 0) return [];
  const mine = groups.flatMap((group) => group.checks);
  const lines = groups.slice(0, most).map((group) => `- ${prose(group.reason, 300)}: ${namesOf(group.checks)}`);
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
