import { Slots } from '../http/slots.ts';
import { ProbeError, type Probe } from './probe.ts';
import { messageOf } from '../../spec/messageOf.ts';

/**
 * Says how often the notification with an id took effect: 0 before its delivery, 1 after it.
 *
 * @example async (id) => (await db.query('select 1 from effects where id = $1', [id])).rowCount ?? 0
 */
export type CountEffects = (id: string) => number | PromiseLike<number>;

/** Calls under way at most. */
const concurrency = 16;

/** Milliseconds for one call. */
const timeout = 5000;

const valid = 'A probe function returns a whole number of effects, or a promise of one';

const next = 'Call it by itself with an id, and see what it returns';

/** A probe that calls a function of the user, once for each id. */
export function functionProbe(count: CountEffects): Probe {
  const slots = new Slots({ concurrency });
  const countOne = async (id: string): Promise<number> => {
    await slots.acquire();
    try {
      return counted(id, await inTime(count, id));
    } finally {
      slots.release();
    }
  };
  return {
    asksEach: true,
    silence: undefined,
    async count(ids) {
      return new Map(await Promise.all(ids.map(async (id) => [id, await countOne(id)] as const)));
    },
    async close() {},
  };
}

/** @throws ProbeError where the function throws, or takes too long */
async function inTime(count: CountEffects, id: string): Promise<unknown> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it did not return within ${timeout / 1000} s`)), timeout);
  try {
    return await Promise.race([count(id), late]);
  } catch (cause) {
    const why = messageOf(cause);
    throw new ProbeError(`The probe function was called with the id ${id}, and failed: ${why}`, valid, next, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function counted(id: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : String(value);
  throw new ProbeError(`The probe function was called with the id ${id}, and returned ${shown}`, valid, next);
}
