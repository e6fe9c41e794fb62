import type { ServiceFinding } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import type { RequirementId } from '../../spec/names.ts';

/** What was expected and what came, in short plain sentences. */
export interface Seen {
  readonly expected: string;
  readonly actual: string;
  /** Those that show it, the decisive one last. */
  readonly exchanges: readonly Exchange[];
  /** True where what was expected did not come. Default: false. */
  readonly absence?: boolean | undefined;
  /** Whether it may have come of an endpoint of the kit that answered late. Default: see {@link ServiceFinding}. */
  readonly hangsOnTime?: boolean | undefined;
  /** The accepted neighbour of the decisive exchange. */
  readonly twin?: Exchange | undefined;
  /** What the decisive exchange changes in its twin. */
  readonly difference?: string | undefined;
}

/** The finding that a requirement, or several, is broken. */
export function broken(requirement: RequirementId | readonly RequirementId[], seen: Seen): ServiceFinding {
  const { expected, actual, exchanges, absence = false, hangsOnTime, twin, difference } = seen;
  return {
    requirements: typeof requirement === 'string' ? [requirement] : requirement,
    exchanges,
    expected,
    actual,
    absence,
    ...(hangsOnTime !== undefined && { hangsOnTime }),
    ...(twin && { twin }),
    ...(difference !== undefined && { difference }),
  };
}
