import type { OpinionDiffered, OpinionFinished } from './events.ts';
import type { Disagreement, SecondOpinion } from './runSummary.ts';

/** What the events have said of the second opinion so far. */
export interface Opinions {
  readonly differences: Map<string, Disagreement>;
  /** How many were compared; not there before anybody said so. */
  compared?: number;
}

/** Before the first event. */
export function noOpinions(): Opinions {
  return { differences: new Map() };
}

/** Takes one more disagreement. */
export function recordDifference({ differences }: Opinions, event: OpinionDiffered): void {
  const { operationId, part, kit, prism, detail } = event;
  const key = JSON.stringify([operationId, part, kit, prism, detail]);
  const count = (differences.get(key)?.count ?? 0) + 1;
  differences.set(key, { operationId, part, kit, prism, detail, count });
}

/** Takes how many were compared: in each sitting, where a run was resumed. */
export function recordFinished(opinions: Opinions, { compared }: OpinionFinished): void {
  opinions.compared = (opinions.compared ?? 0) + compared;
}

/** The second opinion of a run; nothing where there was none. A killed run knows only of what the two disagreed about. */
export function secondOpinion({ differences, compared }: Opinions): SecondOpinion | undefined {
  if (compared === undefined && differences.size === 0) return undefined;
  const disagreements = [...differences.values()];
  return { compared: Math.max(compared ?? 0, disagreed({ disagreements })), disagreements };
}

/** How many of the requests and answers the two disagree about. */
export function disagreed({ disagreements }: Pick<SecondOpinion, 'disagreements'>): number {
  return disagreements.reduce((sum, { count }) => sum + count, 0);
}
