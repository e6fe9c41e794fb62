import type { SharedWait } from '../engine/side.ts';
import type { Settler } from './settler.ts';

/** What such a wait has to do with. */
interface SharingParts {
  readonly settler?: Settler | undefined;
  readonly activity: { readonly idle: boolean };
  readonly guardian: { readonly deaths: number };
}

/**
 * The wait for effects, shared by two phases. After a death it is not held any more: what the target died of is looked for
 * before anything else is tried.
 *
 * @returns nothing where no effects are waited for
 */
export function sharedWait({ settler, activity, guardian }: SharingParts): SharedWait | undefined {
  if (settler === undefined) return undefined;
  let isHeld = false;
  const begin = (): void => {
    if (!isHeld) return; // The next one may hold it by now.
    isHeld = false;
    settler.hold();
    if (activity.idle) void settler.begin();
  };
  let waits = Promise.withResolvers<void>();
  return {
    hold() {
      const { deaths } = guardian;
      isHeld = true;
      waits = Promise.withResolvers();
      settler.hold(() => (guardian.deaths === deaths ? waits.resolve() : begin()));
    },
    release: begin,
    async reached(tried) {
      const isWaiting = await Promise.race([waits.promise.then(() => true), tried.then(() => false)]);
      if (!isWaiting) begin();
    },
  };
}

/** The wait for effects that must not come, while the next phase is tried. What must come is awaited before. */
export function laterWait({ settler }: Pick<SharingParts, 'settler'>): SharedWait | undefined {
  if (settler === undefined) return undefined;
  let seen = Promise.resolve();
  return {
    hold: () => void (seen = settler.nextSeen()),
    release: () => undefined,
    reached: async (tried) => void (await Promise.race([seen, tried])),
  };
}
