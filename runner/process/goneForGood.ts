import type { NotStarted } from '../../suites/processControl.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import type { Suspected, TargetDeath } from './supervisedCase.ts';

/** Checks that are named where several may be to blame. */
const fewChecks = 8;

/** That one of several cases may be what the target died of, and how to find out which. */
export function suspicion({ reason, advice = '' }: RunEnd, death: TargetDeath, suspects: readonly Suspected[]): RunEnd {
  const byCheck = [...Map.groupBy(suspects, ({ supervised }) => supervised.check)];
  const names = byCheck.map(([check, { length }]) => `${check} (${length === 1 ? '1 case' : `${length} cases`})`);
  const more = names.length > fewChecks ? `, and ${names.length - fewChecks} more` : '';
  const again = byCheck.slice(0, fewChecks).flatMap(([, [first]]) => first?.supervised.keep(death) ?? []);
  const tryAgain =
    again.length === 0
      ? 'With --concurrency 1 one request at a time is under way.'
      : `Or try the newest case of each alone, and see which one ends it:\n${again.join('\n')}`;
  return {
    reason: `${reason}. What it died of is not known: these were under way, or had been a moment before: ${names.slice(0, fewChecks).join(', ')}${more}`,
    advice: `${advice} ${tryAgain}`,
  };
}

/** The end of a run whose target went away and does not come up again. */
export function notUpAgain(kind: string, { how }: Pick<TargetDeath, 'how'>, error: NotStarted): RunEnd {
  return error.byKit
    ? {
        reason: `the ${kind} ${how}, and did not come up again: ${error.message}`,
        advice: `Start the ${kind} by hand in the state in which it is now, and see what keeps it from coming up.`,
      }
    : {
        reason: `the ${kind} ${how}, and it ${error.message}`,
        advice: `Look at what the ${kind} wrote last, and start it again. With --start <command> (or --image <ref>) the kit starts it itself: it then shows how the ${kind} ended and what it wrote, tries alone what it may have died of, and goes on with the other checks.`,
      };
}
