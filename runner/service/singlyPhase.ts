import { eventsOfNumbers } from '../../spec/serviceTerms.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import type { Phase } from '../engine/side.ts';
import type { ServiceContext } from './createContext.ts';

/**
 * The phase of the checks that run one case at a time: those that spend their time on waits go first, side by side, and the
 * others take their turns once no absence is awaited any more, while retries still are.
 */
export function singlyPhase(checks: readonly ServiceCheck[], context: ServiceContext): Phase<ServiceCheck> {
  const begin = () => calm(context);
  return {
    checks: checks.filter((check) => waitOf(check) !== undefined),
    hurries: true,
    begin,
    meanwhile: {
      after: (check) => waitOf(check) === 'absence',
      phase: {
        checks: checks.filter((check) => waitOf(check) === undefined),
        inTurn: lanesOf(context),
        hurries: true,
        begin,
      },
    },
  };
}

/**
 * What comes of numbers disturbs the others only where they have no events but those that numbers cause. A service may take
 * its time to give up a number that it does not know, and nothing comes of that meanwhile.
 */
function lanesOf({ plan, scenarioEvents, otherScenarioEvents }: ServiceContext): (check: ServiceCheck) => string {
  const ofNumbers = eventsOfNumbers(plan.terms);
  const isShared = [...scenarioEvents, ...otherScenarioEvents].some((event) => ofNumbers.includes(event));
  return ({ about, needs }) => {
    if (isShared || about?.includes('tracking') !== true) return 'events';
    return needs.includes('untrackable') ? 'unknown numbers' : 'numbers';
  };
}

function waitOf({ schedule }: ServiceCheck): 'absence' | 'retries' | undefined {
  return schedule?.kind === 'singly' ? schedule.waitsFor : undefined;
}

/** Resolves once every scenario waits and nothing is being made to happen, or the run has ended. */
async function calm(context: ServiceContext): Promise<void> {
  while (!context.ended.aborted && !(context.scenarios.idle && context.triggeredEvents.idle))
    await context.changeSignal.next(20);
}
