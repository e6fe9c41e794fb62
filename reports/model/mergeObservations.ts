import type { RunSummary, Observation } from './runSummary.ts';

/**
 * What the parts of one run have seen, each thing once. Where parts saw the same with other figures ('the slowest was
 * answered after 85 ms', and '187 ms'), each says of which part it is: none of them is that of the whole.
 */
export function mergeObservations(parts: readonly RunSummary[]): readonly Observation[] {
  const seen = new Map<string, Observation & { readonly part: string }>();
  for (const { observations, run } of parts) {
    for (const observation of observations) {
      const key = JSON.stringify([observation.gap, observation.value]);
      if (!seen.has(key)) seen.set(key, { ...observation, part: run.id });
    }
  }
  const byShape = Map.groupBy(seen.values(), shapeOf);
  return [...seen.values()].map(({ part, ...observation }) => {
    const alike = byShape.get(shapeOf(observation)) ?? [];
    const isWhole = alike.every((other) => other.part === part);
    return isWhole ? observation : { ...observation, evidence: inPart(observation.evidence, part) };
  });
}

/** What is equal where only figures differ. */
function shapeOf({ gap, value }: Observation): string {
  return JSON.stringify([gap, value.replaceAll(/\d+/g, '0')]);
}

function inPart(evidence: string, part: string): string {
  return [evidence, `in the part ${part}`].filter(Boolean).join('; ');
}
