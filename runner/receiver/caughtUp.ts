import type { Deadline } from '../engine/deadline.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';

/** Plain deliveries in a row that must be answered in time, and those that are tried for it at most. */
const inRow = 3;
const tries = 60;

/**
 * Waits until the target has worked off what piled up while checks ran side by side: until plain deliveries, one at a
 * time, are accepted in time again. What still gets no answer then is not a matter of load.
 *
 * @param until - when there is no more time for it. Default: never
 */
export async function caughtUp(context: ReceiverContext, found: ControlResult, until?: Deadline): Promise<void> {
  const kit = new CaseKit(context, { check: 'control', case: 1 }, found);
  let row = 0;
  for (let tried = 0; tried < tries && row < inRow && !context.ended.aborted && until?.over !== true; tried++) {
    const answer = await context.activity.run(() => kit.deliver(kit.compose(found.control))).catch(() => undefined);
    row = answer && kit.accepts(answer) ? row + 1 : 0;
  }
}
