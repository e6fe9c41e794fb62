import type { Finding } from '../../model/findings.ts';
import type { Part } from './fitting.ts';
import { cited, code, prose } from './markdownText.ts';
import type { RequirementResult, RunSummary } from '../../model/runSummary.ts';

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
  const what = `**${prose(id, 60)}** (${prose(level.toUpperCase(), 20)}, ${cited(section)}): ${prose(statement, 300)}${why === undefined ? '' : ` ${prose(why, 300)}`}`;
  const seen = first?.counterexample?.summary ?? first?.check.title ?? '';
  const which = first ? ` ${code(first.check.id, 100)}` : '';
  const more = mine.length > 1 ? ` and ${mine.length - 1} more` : '';
  const known = mine.length > 0 && mine.every(({ expected }) => expected !== undefined) ? ' _Expected to fail._' : '';
  return `- ${what} Found:${which}${more}: ${prose(seen, 200)}${known}`;
}

function groups(lines: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, at) => lines.slice(at * size, (at + 1) * size));
}
