import { eventsOfNumbers } from '../../spec/serviceTerms.ts';
import type { ServicePlan } from './plan.ts';

/** Events for the steps of a scenario. */
export type ScenarioEvents = readonly [string, string, string, string];

/**
 * The events for the steps of scenarios: four different ones that are about nothing but themselves, where `--emit` can
 * raise any; else those that numbers can cause, again and again.
 *
 * @param events - what can be made to happen
 * @param from - how many to leave out, for those who want others
 */
export function scenarioEventsOf(plan: ServicePlan, events: readonly string[], from = 0): ScenarioEvents {
  const { terms, contract, emit } = plan;
  const ofNumbers = eventsOfNumbers(terms);
  const plain = emit === undefined ? events : events.filter((event) => !ofNumbers.includes(event));
  const chosen = plain.length > 0 ? plain : contract.events.map(({ name }) => name);
  const at = (index: number): string => chosen[index % chosen.length]!;
  return [at(from), at(from + 1), at(from + 2), at(from + 3)];
}
