import { Slots } from '../../runner/http/slots.ts';

/** Runs that keep a core busy: more of them at once would keep each other waiting. */
const slots = new Slots({ concurrency: 2 });

/** Holds a run when it is its turn: two go on at the same time at most. */
export async function inTurn<Result>(hold: () => Promise<Result>): Promise<Result> {
  await slots.acquire();
  return hold().finally(() => slots.release());
}
