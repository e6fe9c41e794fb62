import type { ReportingDescriptor } from 'sarif';

import { visible } from '../../text/visible.ts';
import type { RequirementResult } from '../../model/runSummary.ts';

/** A requirement as a rule. */
export function sarifRule({
  id,
  level,
  section,
  statement,
  outcome,
  checks,
  binding,
}: RequirementResult): ReportingDescriptor {
  const words = visible(statement, '\n');
  return {
    id,
    shortDescription: { text: words },
    fullDescription: {
      text: `${id}, a ${level.toUpperCase()} of section ${visible(section)} of the contract: ${words}`,
    },
    help: {
      text: `Section ${visible(section)} of the contract: ${words}\nProven by: ${checks.join(', ') || 'no check of this run'}`,
    },
    defaultConfiguration: { level: level === 'must' || binding === true ? 'error' : 'warning' },
    properties: { level, section, outcome, checks, tags: [level, 'contract'] },
  };
}
