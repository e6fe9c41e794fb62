import { parseJson } from '../../spec/parseJson.ts';
import { type Access, RefusedAddress } from '../http/access.ts';
import { type Probe, commandProbe, ProbeError } from './probe.ts';
import { failureCode } from '../http/connector.ts';
import { type CountEffects, functionProbe } from './functionProbe.ts';
import { TargetPool } from '../http/targetPool.ts';
import { maskedAddress, openAddress } from '../http/openAddress.ts';
import { Slots } from '../http/slots.ts';
import { ConnectionTurns } from '../http/connectionTurns.ts';

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

/** Whether a probe is given as a path with `{id}`: nobody knows the port of a target that gets one when it is started. */
function isProbePath(probe: string): boolean {
  return /^\/\S*\{id\}\S*$/.test(probe);
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
      'Write it like http://localhost:3000/effects/{id}',
    );
  }
  return new HttpProbe(template, url, access, turns);
}

interface ProbeAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | readonly string[] | undefined;
}

class HttpProbe implements Probe {
  readonly asksEach = true;
  #missing: string | undefined;
  #counted = false;
  #keeps = true;
  readonly #template: string;
  readonly #headers: readonly string[];
  readonly #target: URL;
  readonly #pool: TargetPool;
  readonly #slots = new Slots({ concurrency });
  readonly #turns: ConnectionTurns;

  constructor(template: string, target: URL, access: Access, turns = new ConnectionTurns()) {
    this.#turns = turns;
    this.#template = template;
    this.#target = target;
    this.#headers = openAddress(new URL(template, target).href).authorization ?? [];
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

  async #again(get: () => Promise<ProbeAnswer>, left: number): Promise<ProbeAnswer> {
    try {
      return await get();
    } catch (error) {
      if (left === 0 || isTimeout(error)) throw error;
      this.#keeps = false;
      return this.#again(get, isClosed(error) ? left - 1 : 0);
    }
  }

  get silence(): string | undefined {
    return this.#counted ? undefined : this.#missing;
  }

  /**
   * A GET may be sent again where a kept connection had been closed meanwhile (RFC 9110, section 9.2.2). A server that says
   * nothing of that closes them all: none is kept from then on, and what is left of them is used up.
   */
  async #get(url: URL): Promise<ProbeAnswer> {
    const path = `${url.pathname}${url.search}`;
    const get = async (): Promise<ProbeAnswer> => {
      const headers = [...this.#headers];
      const limits = { headersTimeout: timeout, bodyTimeout: timeout, reset: this.#turns.areTaken || !this.#keeps };
      const {
        statusCode,
        headers: given,
        body,
      } = await this.#pool.current.request({ method: 'GET', path, headers, ...limits });
      return { status: statusCode, text: await body.text(), location: given['location'] };
    };
    try {
      return await this.#turns.take(() => this.#again(get, concurrency));
    } catch (error) {
      throw new ProbeError(
        isTimeout(error)
          ? `The probe did not answer within ${timeout / 1000} s: GET ${maskedAddress(url.href)}`
          : `The probe could not be asked (${error instanceof RefusedAddress ? error.message : failureCode(error)}): GET ${maskedAddress(url.href)}`,
        valid,
        'Start it, or correct its address; a command can stand in its place (--probe <command>)',
        { cause: error },
      );
    }
  }
}

function isClosed(error: unknown): boolean {
  return /UND_ERR_SOCKET|ECONNRESET|EPIPE/.test(failureCode(error));
}

function isTimeout(error: unknown): boolean {
  return /TIMEOUT/.test(failureCode(error));
}

function readCount(url: URL, answer: ProbeAnswer): number {
  const count = answer.status === 200 ? countIn(answer.text) : undefined;
  if (count !== undefined) return count;
  const trial = `Fix the probe, then try it: curl -i '${maskedAddress(url.href)}'`;
  throw new ProbeError(answered(url, answer), valid, trial);
}

/** A request and its answer, in words. */
function answered(url: URL, { status, text, location }: ProbeAnswer): string {
  const where = location === undefined ? '' : ` (Location: ${String(location)})`;
  return `The probe was asked GET ${maskedAddress(url.href)}, and answered ${status}${where} with ${JSON.stringify(text.slice(0, 200))}`;
}

function countIn(text: string): number | undefined {
  try {
    const { count } = parseJson(text) as { count?: unknown };
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}
