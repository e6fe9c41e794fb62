import type { RunContext } from './runContext.ts';

/**
 * How a run sees whether its target is there. `stillThere` asks a few times, for the target may be restarting or
 * overloaded; all who ask at the same time share one asking.
 */
export function presenceOf(target: { reachable(): Promise<boolean> }): Pick<RunContext, 'reachable' | 'stillThere'> {
  let asking: Promise<boolean> | undefined;
  const reachable = (): Promise<boolean> => target.reachable();
  return { reachable, stillThere: () => (asking ??= isThere(target).finally(() => (asking = undefined))) };
}

async function isThere(target: { reachable(): Promise<boolean> }): Promise<boolean> {
  for (let asked = 0; asked < 4; asked++) {
    if (await target.reachable()) return true;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return false;
}
