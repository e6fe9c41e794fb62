import { randomBytes } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';

import type { Caught, CatchScript, CatchStep } from '../../suites/exchange.ts';
import type { Room } from './readBody.ts';

/** Bytes that one endpoint keeps at most, 16 MiB: the others go on where one is flooded. */
const keptBytes = 16 * 1024 * 1024;

/** Bytes that an attempt takes beside its body and its headers, about. */
const attemptBytes = 1024;

/** A URL at which the kit catches what is sent, and plays a script of answers. */
export interface Endpoint {
  /** The last part of its path: 128 random bits, as hex. */
  readonly name: string;
  readonly url: string;
  /** What has arrived whole, or broke off, in the order in which the heads arrived; grows. */
  readonly caught: readonly Caught[];
  /** Attempts that were answered but neither kept nor reported, because too many had been kept already. */
  readonly dropped: number;
  /**
   * Every {@link Caught} is reported twice: when it has arrived (its body was read, or broke off) and when it has ended.
   * It is the same object both times. What closing the catcher cuts off is reported no end.
   *
   * @returns stops the listening
   */
  on(listener: (caught: Caught) => void): () => void;
  /**
   * Holds for the attempts that arrive from now on.
   *
   * @param others - for the notifications that come after the first one. Default: as for that one
   * @throws TypeError or RangeError where a step cannot be played
   */
  setScript(script: CatchScript, others?: CatchScript): void;
  /** Forgets it: later requests get 404 and are counted as strays. What is going on there goes on. */
  close(): void;
}

/** An endpoint on a port of its own where nothing listens yet. */
export interface RefusingEndpoint {
  readonly url: string;
  /**
   * Starts to listen; from then on it is like any endpoint. Doing it again gives the same.
   *
   * @throws the system's error where another program took the port meanwhile
   */
  open(): Promise<Endpoint>;
  close(): Promise<void>;
}

/** An endpoint on a port of its own. */
export interface EndpointElsewhere {
  readonly endpoint: Endpoint;
  /** How many connections were made to it so far, whatever came of them. */
  readonly connections: number;
  close(): Promise<void>;
}

/** What an attempt and the router need of the endpoint that it came to. */
export interface CatchingPlace {
  readonly name: string;
  /** The order of a head that has just arrived. */
  nextHead(): number;
  /** Milliseconds that the reading of a body takes at least. */
  slowness(): number;
  /** Which attempt with this key it is, and what is done with it. */
  assign(key: string): { readonly number: number; readonly step: CatchStep };
  /** Decides what is done with an attempt that has arrived whole. Default: what was assigned. */
  decide?(caught: Caught, signal: AbortSignal): Promise<CatchStep>;
  /** @returns whether it is reported when it ends */
  keep(caught: Caught, order: number): boolean;
  tell(caught: Caught): void;
}

/** What an earlier sitting of the run knows of an endpoint. */
export interface EarlierEndpoint {
  readonly name: string;
  /** The notification that had come to it, and how many attempts. */
  readonly key: string;
  readonly attempts: number;
}

export interface EndpointOptions {
  /** Where its name is put below; ends in a slash. */
  readonly base: string;
  readonly script: CatchScript;
  /** The one that it goes on with. Default: it is a new one. */
  readonly earlier?: EarlierEndpoint | undefined;
  /** Attempts that it keeps at most. */
  readonly limit: number;
  /** What it shares with the other endpoints. */
  readonly room: Room;
  readonly onClose: (endpoint: ScriptedEndpoint) => void;
}

/** An endpoint from the catcher's side: it numbers attempts, and keeps what was caught. */
export class ScriptedEndpoint implements Endpoint, CatchingPlace {
  readonly name: string;
  readonly url: string;
  readonly caught: Caught[] = [];
  dropped = 0;
  readonly #options: EndpointOptions;
  readonly #listeners = new Set<(caught: Caught) => void>();
  readonly #counts = new Map<string, number>();
  /** The order of each kept attempt's head. */
  readonly #orders: number[] = [];
  #script: CatchScript;
  #others: CatchScript;
  #isSlow: boolean;
  #heads = 0;
  #most = 0;
  #bytes = 0;
  #closed = false;

  constructor(options: EndpointOptions) {
    checkScript(options.script);
    this.#options = options;
    this.#script = options.script;
    this.#others = options.script;
    this.#isSlow = isSlow(options.script);
    const { earlier } = options;
    this.name = earlier?.name ?? randomBytes(16).toString('hex');
    this.#most = earlier?.attempts ?? 0;
    if (earlier !== undefined) this.#counts.set(earlier.key, earlier.attempts);
    this.url = `${options.base}${this.name}`;
  }

  on(listener: (caught: Caught) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  setScript(script: CatchScript, others: CatchScript = script): void {
    for (const each of [script, others]) checkScript(each);
    this.#script = script;
    this.#others = others;
    this.#isSlow = isSlow(script) && isSlow(others);
  }

  close(): void {
    this.#options.onClose(this);
    this.#options.room.free(this.#bytes);
    this.#bytes = 0;
    this.#closed = true;
  }

  /** Lets go of what was caught so far; goes on catching. */
  forget(): void {
    this.#options.room.free(this.#bytes);
    this.#bytes = 0;
    this.caught.length = 0;
    this.#orders.length = 0;
  }

  nextHead(): number {
    this.#heads += 1;
    return this.#heads;
  }

  /**
   * How long the reading of the body has to take. Which step an attempt gets is known once its body shows its key; it
   * is read slowly only where every step that it may get says so.
   */
  slowness(): number {
    if (!this.#isSlow) return 0;
    const possible = [this.#script, this.#others].flatMap((script) => script.slice(0, this.#most + 1));
    return Math.min(...possible.map((step) => (step.do === 'slow-read' ? step.ms : 0)));
  }

  /** Which attempt with this key it is, and what is done with it. */
  assign(key: string): { readonly number: number; readonly step: CatchStep } {
    const number = (this.#counts.get(key) ?? 0) + 1;
    const full = this.#counts.size >= this.#options.limit && number === 1;
    if (!full) this.#counts.set(key, number);
    this.#most = Math.max(this.#most, number);
    const [first = key] = this.#counts.keys();
    const script = first === key ? this.#script : this.#others;
    return { number, step: script[number - 1] ?? script.at(-1) ?? script[0] };
  }

  /** @returns whether it was kept, and is reported */
  keep(caught: Caught, order: number): boolean {
    if (!this.#fits(sizeOf(caught))) {
      this.dropped += 1;
      return false;
    }
    const index = this.#orders.findLastIndex((earlier) => earlier < order) + 1;
    this.#orders.splice(index, 0, order);
    this.caught.splice(index, 0, caught);
    this.tell(caught);
    return true;
  }

  /** Takes the room for it, where there is some. What comes after the endpoint is closed, nobody gives back. */
  #fits(bytes: number): boolean {
    if (this.#closed) return true;
    if (this.caught.length >= this.#options.limit || this.#bytes + bytes > keptBytes) return false;
    if (!this.#options.room.take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  tell(caught: Caught): void {
    for (const listener of this.#listeners) listener(caught);
  }
}

/** Whether it may be that a body is to be read slowly. */
function isSlow(script: CatchScript): boolean {
  return script.some((step) => step.do === 'slow-read');
}

function sizeOf({ body, headers }: Caught): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.length + attemptBytes);
}

/** What a timer of Node can wait at most. */
const longest = 2 ** 31 - 1;

/**
 * Refuses a script that could not be played, before an attempt comes to it.
 *
 * @throws RangeError for a status or a number out of bounds, TypeError for a header that HTTP does not allow
 */
function checkScript(script: CatchScript): void {
  if (script.length === 0) throw new RangeError('a script has no step; give it one at least');
  for (const step of script) checkStep(step);
}

/** @throws RangeError for a status or a number out of bounds, TypeError for a header that HTTP does not allow */
export function checkStep(step: CatchStep): void {
  if ('status' in step) checkNumber('status', step.status, 100, 999);
  if ('ms' in step && step.ms !== undefined) checkNumber('ms', step.ms, 0, longest);
  if (step.do === 'trickle') {
    checkNumber('every', step.every, 0, longest);
    checkNumber('bytes', step.bytes, 0, Number.MAX_SAFE_INTEGER);
  }
  if (step.do !== 'respond') return;
  checkNumber('delay', step.delay ?? 0, 0, longest);
  checkNumber('bodyBytes', step.bodyBytes ?? 0, 0, Number.MAX_SAFE_INTEGER);
  for (const [name, value] of step.headers ?? []) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
}

function checkNumber(what: string, value: number, least: number, most: number): void {
  if (Number.isFinite(value) && value >= least && value <= most) return;
  throw new RangeError(`the ${what} of a script's step is ${value}; give a number from ${least} to ${most}`);
}
