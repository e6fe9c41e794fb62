import { isOwnWant } from '../http/ownWant.ts';

/** How a run sees whether its target is there. */
export interface Presence extends Connecting {
  /** Whether the target takes a connection at this moment. */
  reachable(): Promise<boolean>;
  /** Whether the target still takes connections, some of which may be lost on the way. */
  stillThere(): Promise<boolean>;
}

/** What connections to a target are made with. */
interface Connecting {
  /** Why no connection can be made at this moment: the system's code, or `TIMED_OUT`; nothing where one can. */
  absence(): Promise<string | undefined>;
}

/**
 * How a run sees whether its target is there. `stillThere` asks a few times, for the target may be restarting or
 * overloaded; all who ask at the same time share one asking.
 */
export function presenceOf(target: Connecting): Presence {
  let asking: Promise<boolean> | undefined;
  const absence = async (): Promise<string | undefined> => {
    const code = await target.absence();
    // Where this machine has no connection to give, the target may well be there.
    return code !== undefined && isOwnWant(code) ? undefined : code;
  };
  const reachable = async (): Promise<boolean> => (await absence()) === undefined;
  return { absence, reachable, stillThere: () => (asking ??= isThere(reachable).finally(() => (asking = undefined))) };
}

async function isThere(reachable: () => Promise<boolean>): Promise<boolean> {
  for (let asked = 0; asked < 4; asked++) {
    if (await reachable()) return true;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return false;
}
