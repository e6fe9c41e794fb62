import { findings, type Finding as Found } from '../../../model/findings.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** Something that was found broken: by a check, or by a search, which may find several for a check. */
export interface Finding extends Found {
  /** Its address within the run: the check's id, with a number from the second of a check on. */
  readonly anchor: string;
}

/** All that a run found, in the order of every report. */
export function findingsOf(summary: RunSummary): readonly Finding[] {
  const named = new Map<string, number>();
  return findings(summary).map((found) => {
    const { id } = found.check;
    const number = (named.get(id) ?? 0) + 1;
    named.set(id, number);
    return { ...found, anchor: number === 1 ? id : `${id}/${number}` };
  });
}
