import { citation } from '../../text/citation.ts';
import type { Finding } from '../../model/findings.ts';
import type { Part } from './fitting.ts';
import { code, prose, folded } from './markdownText.ts';
import type { RequirementResult, RunSummary, CheckResult } from '../../model/runSummary.ts';
import { amount } from '../../text/amount.ts';
import { byReason, unexplained } from '../../model/unobserved.ts';

/** The requirements that are broken, one line each: those that break the conformance first. */
export function brokenParts({ requirements }: RunSummary, found: readonly Finding[]): readonly Part[] {
  const broken = requirements.filter(({ outcome }) => outcome === 'broken');
  const lines = broken
    .map((row) => ({ row, mine: found.filter((finding) => finding.broken.some(({ id }) => id === row.id)) }))
    .toSorted((a, b) => rank(a.mine) - rank(b.mine))
    .map(({ row, mine }) => line(row, mine));
  return groups(lines, 20).map((group, index) => ({
    text: [...(index === 0 ? ['### Broken requirements', ''] : []), ...group].join('\n'),
    name: 'broken requirements',
  }));
}

function rank(mine: readonly Finding[]): number {
  if (mine.some(({ expected }) => expected === undefined)) return mine.some(isFailure) ? 0 : 1;
  return 2;
}

function isFailure({ weight, expected }: Finding): boolean {
  return weight === 'failure' && expected === undefined;
}

function line(row: RequirementResult, mine: readonly Finding[]): string {
  const [first] = mine;
  const { id, level, section, statement, why } = row;
  const what = `**${prose(id, 60)}** (${prose(level.toUpperCase(), 20)}, ${prose(citation(section), 120)}): ${prose(statement, 300)}${why === undefined ? '' : ` ${prose(why, 300)}`}`;
  const seen = first?.counterexample?.summary ?? first?.check.title ?? '';
  const which = first ? ` ${code(first.check.id, 100)}` : '';
  const more = mine.length > 1 ? ` and ${mine.length - 1} more` : '';
  const known = mine.length > 0 && mine.every(({ expected }) => expected !== undefined) ? ' _Expected to fail._' : '';
  return `- ${what} Found:${which}${more}: ${prose(seen, 200)}${known}`;
}

function groups(lines: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, at) => lines.slice(at * size, (at + 1) * size));
}

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
  const text = folded(`Undecided beside these: ${amount(count, 'requirement')}`, lines.join('\n'));
  return [{ text, name: 'what is under “Undecided beside these”' }];
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
