import { parseJson } from '../../spec/parseJson.ts';
import { isOverloaded } from '../../suites/answer.ts';
import type { Answer, Header } from '../../suites/delivery.ts';
import type { Access } from '../http/access.ts';
import { type Probe, commandProbe, ProbeError, type CountEffects, functionProbe } from './probe.ts';
import { isProbePath } from '../options/receiverOptions.ts';
import { type PooledOutcome, sendPooled } from '../http/pooledExchange.ts';
import { TargetPool } from '../http/createPool.ts';
import { maskedAddress, openAddress } from '../http/openAddress.ts';
import { Slots } from '../http/slots.ts';
import { ConnectionTurns } from '../http/connectionHabits.ts';
import { headerValue } from '../../spec/headerText.ts';

/**
 * The probe that `--probe` names, or a function in its place: a URL with `{id}`, which answers GET with `{"count": n}` (404 counts as 0), the
 * path of one, or a shell command, which gets ids on standard input, one a line, and prints `<id> <count>` lines.
 *
 * @param access - for a URL
 * @param target - where a path leads to; its port may change when the target is started again
 * @param turns - shared with whatever else connects to the target, which the probe may be a part of
 * @throws ProbeError for a URL without `{id}`
 */
export function createProbe(
  spec: string | CountEffects,
  access: Access = {},
  target?: URL,
  turns?: ConnectionTurns,
): Probe {
  if (typeof spec === 'function') return functionProbe(spec);
  if (target !== undefined && isProbePath(spec)) return new HttpProbe(spec, target, access, turns);
  return /^https?:\/\//i.test(spec) ? httpProbe(spec, access, turns) : commandProbe(spec);
}

/** A probe as others can ask it: its whole URL where a path was given. */
export function shownProbe(probe: string, target: URL): string {
  return isProbePath(probe) ? `${target.origin}${probe}` : probe;
}

/** Ids that are asked for at the same time. */
const concurrency = 16;

/** Milliseconds for one answer. */
const timeout = 5000;

/** Bytes of one answer. */
const longest = 1024 * 1024;

const valid = 'A probe URL answers GET with status 200 and {"count": n}, n being a whole number of effects';

/**
 * A probe that asks a URL, once for each id.
 *
 * @throws ProbeError where the template is no URL or has no `{id}`
 */
function httpProbe(template: string, access: Access, turns: ConnectionTurns | undefined): Probe {
  const url = URL.parse(template.replaceAll('{id}', 'id'));
  if (!template.includes('{id}') || url === null) {
    throw new ProbeError(
      `The probe URL ${maskedAddress(template)} ${template.includes('{id}') ? 'is no URL' : 'holds no {id}'}`,
      'A probe URL holds {id} where the id of a notification goes',
      'Write it like http://localhost:3000/effects/{id}, or give a shell command',
    );
  }
  return new HttpProbe(template, url, access, turns);
}

type Answered = Extract<Answer, { readonly kind: 'answered' }>;

const nothing = Buffer.alloc(0);

class HttpProbe implements Probe {
  readonly asksEach = true;
  #missing: string | undefined;
  #counted = false;
  #keeps = true;
  readonly #template: string;
  readonly #headers: readonly Header[];
  readonly #target: URL;
  readonly #pool: TargetPool;
  readonly #slots = new Slots({ concurrency });
  readonly #turns: ConnectionTurns;

  constructor(template: string, target: URL, access: Access, turns = new ConnectionTurns()) {
    this.#turns = turns;
    this.#template = template;
    this.#target = target;
    const { authorization } = openAddress(new URL(template, target).href);
    this.#headers = authorization ? [authorization] : [];
    this.#pool = new TargetPool({ ...access, url: target, concurrency, timeout, longest });
  }

  async count(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map(await Promise.all(ids.map(async (id) => [id, await this.#countOne(id)] as const)));
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #countOne(id: string): Promise<number> {
    await this.#slots.acquire();
    try {
      const url = new URL(this.#template.replaceAll('{id}', encodeURIComponent(id)), this.#target);
      const answer = await this.#get(url);
      if (answer.status === 404) {
        this.#missing = answered(url, answer);
        return 0;
      }
      const count = readCount(url, answer);
      this.#counted = true;
      return count;
    } finally {
      this.#slots.release();
    }
  }

  get silence(): string | undefined {
    return this.#counted ? undefined : this.#missing;
  }

  async #get(url: URL): Promise<Answered> {
    const outcome = await this.#turns.take(() => this.#asked(url, concurrency));
    if (typeof outcome === 'object' && outcome.kind === 'answered') return outcome;
    throw unasked(url, outcome);
  }

  /**
   * A GET may be sent again where a kept connection had been closed meanwhile (RFC 9110, section 9.2.2). A server that closes
   * each without a word closes several: none is kept from then on, and what is left of them is used up.
   */
  async #asked(url: URL, left: number): Promise<PooledOutcome> {
    const outcome = await this.#ask(url);
    const isOver = typeof outcome === 'object' && outcome.kind !== 'broken';
    if (isOver || left === 0) return outcome;
    if (outcome !== 'stale') return this.#asked(url, 0);
    if (left < concurrency) this.#keeps = false;
    return this.#asked(url, left - 1);
  }

  #ask({ pathname, search }: URL): Promise<PooledOutcome> {
    const closes = !this.#turns.areKept || !this.#keeps;
    const headers = closes ? [...this.#headers, ['Connection', 'close'] as const] : this.#headers;
    const limits = { kept: longest, read: longest };
    const asked = { method: 'GET', headers, body: nothing };
    return sendPooled(this.#pool.current, asked, { path: `${pathname}${search}`, timeout, limits });
  }
}

function unasked(url: URL, outcome: Exclude<PooledOutcome, Answered>): ProbeError {
  const address = maskedAddress(url.href);
  const code = typeof outcome === 'object' && outcome.kind === 'broken' ? outcome.code : 'CLOSED';
  return new ProbeError(
    typeof outcome === 'object' && outcome.kind === 'timed-out'
      ? `The probe did not answer within ${timeout / 1000} s: GET ${address}`
      : `The probe could not be asked (${code}): GET ${address}`,
    valid,
    'Start it, or correct its address; a command can stand in its place (--probe <command>)',
  );
}

function readCount(url: URL, answer: Answered): number {
  const count = answer.status === 200 ? countIn(answer.body) : undefined;
  if (count !== undefined) return count;
  const trial = isOverloaded(answer)
    ? 'It says that it has too much to do: where a limit of requests holds for the probe as well, lead the probe around it, or give a command (--probe <command>)'
    : `Fix the probe, then try it: curl -i '${maskedAddress(url.href)}'`;
  throw new ProbeError(answered(url, answer), valid, trial);
}

/** A request and its answer, in words. */
function answered(url: URL, { status, body, headers }: Answered): string {
  const location = headerValue(headers, 'Location');
  const where = location === undefined ? '' : ` (Location: ${location})`;
  return `The probe was asked GET ${maskedAddress(url.href)}, and answered ${status}${where} with ${JSON.stringify(body.slice(0, 200))}`;
}

function countIn(text: string): number | undefined {
  try {
    const { count } = parseJson(text) as { count?: unknown };
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}
