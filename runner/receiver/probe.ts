import { setTimeout as sleep } from 'node:timers/promises';

import type { Explanation } from '../errors.ts';
import { type CommandResult, endOfOutput, runCommand } from '../process/shellCommand.ts';
import { Slots } from '../http/slots.ts';
import { messageOf } from '../../spec/messageOf.ts';

/** Says how often notifications took effect in the target. */
export interface Probe {
  /** True where it asks for each id by itself, rather than once for all of them. */
  readonly asksEach: boolean;
  /** What it answered where a count was due, as long as it has not counted any id: then it may never count one. */
  readonly silence: string | undefined;
  /**
   * The number of effects of each id, in one go.
   *
   * @returns a count for every id asked for
   * @throws ProbeError
   */
  count(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Milliseconds for one call, which may settle thousands of ids. */
const timeout = 60_000;

/** Bytes of output: about a million lines. */
const outputLimit = 64 * 1024 * 1024;

const valid = 'A probe command prints one line "<id> <count>" for each id that it gets on standard input';

/** A probe that runs a shell command, once for all ids. An id that it does not print has no effects. */
export function commandProbe(command: string): Probe {
  const running = new AbortController();
  let silence: string | undefined;
  let counted = false;
  return {
    asksEach: false,
    get silence() {
      return counted ? undefined : silence;
    },
    async count(ids) {
      const [first] = ids;
      if (first === undefined) return new Map();
      const input = `${ids.join('\n')}\n`;
      const result = await runCommand(command, { input, timeout, outputLimit, signal: running.signal });
      const trial = `Try it: echo ${first} | ${command}`;
      refuseFailure(trial, result);
      const printed = countsIn(trial, result.stdout);
      counted ||= ids.some((id) => printed.has(id));
      silence = `The probe command was given the id ${first}, and printed ${shownOutput(result.stdout)}`;
      return new Map(ids.map((id) => [id, printed.get(id) ?? 0]));
    },
    async close() {
      running.abort();
    },
  };
}

/** The exit code of a shell that finds no such command. */
const notFound = 127;

function refuseFailure(trial: string, { code, signal, stderr, timedOut, truncated }: CommandResult): void {
  if (code === 0 && !timedOut && !truncated) return;
  const end = timedOut ? `ran for more than ${timeout / 1000} s` : `ended with ${signal ?? `exit code ${code}`}`;
  const said = stderr.trim() === '' ? 'said nothing' : `said: ${endOfOutput(stderr, 500)}`;
  throw new ProbeError(
    truncated ? `The probe command printed more than ${outputLimit} bytes` : `The probe command ${end} and ${said}`,
    `${valid}, and exits with 0`,
    code === notFound
      ? `${trial}; where a URL or a path of the receiver was meant, write it with {id}: /effects/{id}`
      : trial,
  );
}

function shownOutput(output: string): string {
  return output.trim() === '' ? 'nothing' : JSON.stringify(output.slice(0, 200));
}

function countsIn(trial: string, output: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of output.split('\n').map((text) => text.trim())) {
    if (line === '') continue;
    const [, id = '', count = ''] = /^(\S+)\s+(\d{1,15})$/.exec(line) ?? [];
    if (id === '') throw badLine(trial, line, 'cannot be read');
    if (counts.has(id)) throw badLine(trial, line, 'counts an id for the second time');
    counts.set(id, Number(count));
  }
  return counts;
}

function badLine(trial: string, line: string, why: string): ProbeError {
  return new ProbeError(
    `The probe command printed the line ${JSON.stringify(line.slice(0, 200))}, which ${why}`,
    valid,
    trial,
  );
}

/** The probe did not say what it should: a fault of the probe or of its use, and nothing about the target. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';
  readonly explanation: Required<Explanation>;

  /**
   * @param received - what the probe did
   * @param valid - what it should do
   * @param next - what the user can do now
   */
  constructor(received: string, valid: string, next: string, options?: ErrorOptions) {
    super(`${received}. ${valid}. ${next}.`, options);
    this.explanation = { received, valid, next };
  }
}

/**
 * Says how often the notification with an id took effect: 0 before its delivery, 1 after it.
 *
 * @example async (id) => (await db.query('select 1 from effects where id = $1', [id])).rowCount ?? 0
 */
export type CountEffects = (id: string) => number | PromiseLike<number>;

/** Calls under way at most. */
const concurrency = 16;

/** Milliseconds for one call. */
const patienceOfCall = 5000;

const validCount = 'A probe function returns a whole number of effects, or a promise of one';

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
  const timer = setTimeout(
    () => reject(new Error(`it did not return within ${patienceOfCall / 1000} s`)),
    patienceOfCall,
  );
  try {
    return await Promise.race([count(id), late]);
  } catch (cause) {
    const why = messageOf(cause);
    throw new ProbeError(`The probe function was called with the id ${id}, and failed: ${why}`, validCount, next, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

function counted(id: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : String(value);
  throw new ProbeError(`The probe function was called with the id ${id}, and returned ${shown}`, validCount, next);
}

/** Milliseconds before each further try. */
const pauses = [100, 300, 1000, 2000];
/** What took so many milliseconds to fail is not tried again. */
const patience = 5000;

/** A probe that is asked again where it fails: it may be restarting, or overloaded for a moment. */
export class RetriedProbe implements Probe {
  readonly #probe: Probe;
  readonly #signal: AbortSignal;
  /** True once it failed for good: until it answers again, nobody waits for it more than once. */
  #isDown = false;

  /** @param signal - aborted where nothing is waited for any more */
  constructor(probe: Probe, signal: AbortSignal) {
    this.#probe = probe;
    this.#signal = signal;
  }

  get silence(): string | undefined {
    return this.#probe.silence;
  }

  get asksEach(): boolean {
    return this.#probe.asksEach;
  }

  async count(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (!this.asksEach) return this.#count(ids);
    const counts = await Promise.all(ids.map((id) => this.#count([id])));
    return new Map(counts.flatMap((count) => [...count]));
  }

  async #count(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const from = performance.now();
    for (const pause of [...(this.#isDown ? [] : pauses), undefined]) {
      try {
        const counts = await this.#probe.count(ids);
        this.#isDown = false;
        return counts;
      } catch (error) {
        const isOver = this.#signal.aborted || performance.now() - from > patience;
        if (!(error instanceof ProbeError) || isOver || pause === undefined) {
          this.#isDown = error instanceof ProbeError;
          throw error;
        }
        await sleep(pause, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
    throw new TypeError('the last try returns or throws');
  }

  close(): Promise<void> {
    return this.#probe.close();
  }
}
