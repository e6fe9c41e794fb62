import type { SharedWait } from '../engine/side.ts';
import type { ReceiverContext } from './receiverContext.ts';

/**
 * The wait for effects, shared by two phases. After a death it is not held any more: what the target died of is looked for
 * before anything else is tried.
 *
 * @returns nothing where no effects are waited for
 */
export function sharedWait({ settler, activity, guardian }: ReceiverContext): SharedWait | undefined {
  if (settler === undefined) return undefined;
  const begin = (): void => {
    settler.hold();
    if (activity.idle) void settler.begin();
  };
  let waits = Promise.withResolvers<boolean>();
  return {
    hold() {
      const { deaths } = guardian;
      waits = Promise.withResolvers();
      settler.hold(() => (guardian.deaths === deaths ? waits.resolve(true) : begin()));
    },
    release: begin,
    async reached(tried) {
      const isWaiting = await Promise.race([waits.promise, tried.then(() => false)]);
      if (!isWaiting) begin();
      return isWaiting;
    },
  };
}
