import { citation } from '../../text/citation.ts';
import type { Page } from './page.ts';
import { labelled } from './wrap.ts';
import type { RequirementResult, RunSummary } from '../../model/runSummary.ts';

/** A finding that is shown above: `failure 1`. */
export interface EarlierFinding {
  readonly ids: readonly string[];
  readonly title: string;
}

/** The requirements of these ids, each with what it says where none above did: `broken  IDM-2, a MUST of section 6.3: ...`. */
export function brokenLines(
  broken: readonly string[],
  before: readonly EarlierFinding[],
  summary: RunSummary,
  page: Page,
): readonly string[] {
  return summary.requirements
    .filter(({ id }) => broken.includes(id))
    .flatMap((requirement) => {
      const { id, level, section, statement } = requirement;
      const earlier = before.find(({ ids }) => ids.includes(id));
      if (earlier !== undefined) return labelled('broken', `${id}, as in ${earlier.title}`, page.width);
      const what = `${id}, a ${level.toUpperCase()} of ${citation(section)}${standing(requirement, summary)}`;
      return labelled('broken', `${what}: ${statement}`, page.width);
    });
}

/** What is no MUST needs a word about what it means that it is broken. */
function standing({ level, binding }: RequirementResult, { target }: RunSummary): string {
  if (level === 'should' && binding) return `, which counts like a MUST where the ${target.kind} dies`;
  if (level !== 'may') return '';
  return binding ? ', declared by an option' : ` (it does not count against the ${target.kind})`;
}
