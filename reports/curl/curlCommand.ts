import { isPlain, printfFormat, shellQuote } from './shell.ts';
import type { ReportedHeader } from '../model/events.ts';

/** How curl is to behave, beside what it sends. */
export interface CurlOptions {
  /** Milliseconds after which curl gives up. Default: never. */
  readonly timeout?: number;
  /** Trust any certificate. */
  readonly insecure?: boolean;
  /** The file with the certificates to trust. Default: those of the system. */
  readonly ca?: string | undefined;
  /** The environment variable that holds what all addresses begin with. Default: they are whole. */
  readonly base?: string;
}

/**
 * One curl command over several lines.
 *
 * @param rest - more arguments, one a line
 */
export function curlCommand(
  { method, url, from }: { readonly method: string; readonly url: string; readonly from?: string },
  { timeout, base, ...trust }: CurlOptions,
  rest: readonly string[],
): string {
  const verb = method === 'HEAD' ? '--head' : `-X ${/^\w+$/.test(method) ? method : shellQuote(method)}`;
  const options = [
    ...trustWords(trust),
    ...(from === undefined ? [] : [`--interface ${/^[\w.:]+$/.test(from) ? from : shellQuote(from)}`]),
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(timeout === undefined ? [] : [`-m ${Math.ceil(timeout / 1000)}`]),
  ];
  const where = base === undefined ? shellQuote(url) : `"\${${base}%/}"${shellQuote(url)}`;
  const start = ['curl -sS -i --http1.1', ...options, verb, where].join(' ');
  return [start, ...rest, `-w '\\n'`].join(' \\\n  ');
}

/** The arguments that say which certificates are trusted. */
export function trustWords({ insecure, ca }: Pick<CurlOptions, 'insecure' | 'ca'>): readonly string[] {
  if (insecure === true) return ['-k'];
  if (ca === undefined) return [];
  return [`--cacert ${/^[\w./:@-]+$/.test(ca) ? ca : shellQuote(ca)}`];
}

/** The argument that sends a body byte for byte, and what has to stand before the command for it. */
export function curlBody(
  { method, body }: { readonly method: string; readonly body: Buffer },
  file?: string,
): { readonly before: string; readonly data: readonly string[] } {
  if (file !== undefined) return { before: '', data: [`--data-binary ${shellQuote(`@${file}`)}`] };
  if (body.length === 0 && bodiless.has(method)) return { before: '', data: [] };
  if (isPlain(body)) return { before: '', data: [`--data-raw ${shellQuote(body.toString('latin1'))}`] };
  return { before: `printf ${printfFormat(body)} |\n`, data: ['--data-binary @-'] };
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/** Blocks of lines in order; the same block several times in a row is a loop. */
export function loops(blocks: readonly string[]): readonly string[] {
  const runs: { block: string; times: number }[] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last?.block === block) last.times += 1;
    else runs.push({ block, times: 1 });
  }
  return runs.map(({ block, times }) => (times === 1 ? block : loop(block, times)));
}

function loop(block: string, times: number): string {
  const numbers = Array.from({ length: times }, (_, index) => index + 1);
  return `for n in ${numbers.join(' ')}; do\n${block}\ndone`;
}

/** Headers that curl adds on its own account; each is taken away where the request does not carry it. */
const curlsOwn = ['Accept', 'Content-Type', 'Expect', 'User-Agent'] as const;

/**
 * The `-H` arguments that send these headers as they are and nothing beside them. Host and Content-Length are left to
 * curl, which writes the same.
 *
 * @param wordOf - a shell word for a whole header whose value is only known when the lines are run
 * @returns nothing where a header cannot be sent by a client: a line break or NUL in it, a character past U+00FF,
 * another length than the body's
 */
export function curlHeaders(
  request: { readonly url: string; readonly headers: readonly ReportedHeader[]; readonly body: Buffer },
  wordOf: (header: ReportedHeader) => string | undefined = () => undefined,
): readonly string[] | undefined {
  const headers = request.headers.filter((header) => !writtenByCurl(header, request));
  if (!headers.every(sendable)) return undefined;
  const carried = new Set(headers.map(([name]) => name.toLowerCase()));
  return [
    ...headers.map((header) => argument(header, wordOf(header))),
    ...curlsOwn.filter((name) => !carried.has(name.toLowerCase())).map((name) => `-H '${name}:'`),
  ];
}

function writtenByCurl([name, value]: ReportedHeader, { url, body }: { url: string; body: Buffer }): boolean {
  if (/^host$/i.test(name)) return value === new URL(url).host;
  if (/^connection$/i.test(name)) return /^keep-alive$/i.test(value);
  return /^content-length$/i.test(name) && value === String(body.length);
}

function sendable([name, value]: ReportedHeader): boolean {
  const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !/^content-length$/i.test(name);
  return token && !/[\0\r\n]|[^\0-\u00ff]/.test(value);
}

function argument([name, value]: ReportedHeader, word: string | undefined): string {
  if (word !== undefined) return `-H ${word}`;
  if (value.trim() === '') return `-H ${shellQuote(`${name};`)}`;
  const bytes = Buffer.from(`${name}: ${value}`, 'latin1');
  return isPlain(bytes) ? `-H ${shellQuote(bytes.toString('latin1'))}` : `-H "$(printf ${printfFormat(bytes)})"`;
}

/** A file that must lie beside shell lines. */
export interface ScriptFile {
  readonly path: string;
  readonly content: Buffer;
}

/** The files of large bodies, by {@link bodyKey}. */
export type BodyFiles = ReadonlyMap<string, ScriptFile>;

const inlineLimit = 8 * 1024;

/**
 * One file for each different body over 8 KiB.
 *
 * @param bodyFile - where the first one goes; a second one gets `-2` before the extension. Without it there are none
 */
export function bodyFiles(bodies: readonly Buffer[], bodyFile: string | undefined): BodyFiles {
  const files = new Map<string, ScriptFile>();
  if (bodyFile === undefined) return files;
  for (const body of bodies) {
    const key = bodyKey(body);
    if (body.length <= inlineLimit || files.has(key)) continue;
    const path = files.size === 0 ? bodyFile : bodyFile.replace(/(\.[^./]*)?$/, `-${files.size + 1}$1`);
    files.set(key, { path, content: body });
  }
  return files;
}

/** Equal for equal bytes. */
export function bodyKey(body: Buffer): string {
  return body.toString('latin1');
}
