import { shownRequirements } from '../../model/shownRequirements.ts';
import { amount } from '../../text/amount.ts';
import type { Part } from './fitting.ts';
import { folded, prose, table } from './markdownText.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** Every requirement and how it stands, folded. */
export function requirementsPart(summary: RunSummary): readonly Part[] {
  const requirements = shownRequirements(summary);
  if (requirements.length === 0) return [];
  const rows = requirements.map(({ id, level, section, outcome }) => [
    prose(id, 60),
    prose(level.toUpperCase(), 20),
    prose(section, 60),
    outcome,
  ]);
  const holding = requirements.filter(({ outcome }) => outcome === 'holds').length;
  const title = `All requirements: ${holding} of ${amount(requirements.length, 'requirement')} hold`;
  const text = folded(title, table(['Requirement', 'Level', 'Section', 'Outcome'], rows));
  return [{ text, name: 'the table of all requirements' }];
}
