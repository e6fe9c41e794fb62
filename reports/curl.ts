import type { ReportedHeader } from './events.ts';
import { curlHeaders } from './curlHeaders.ts';
import type { Resigning, Signing } from './resigning.ts';
import { mustSignAgain, signAgain } from './resigning.ts';
import { isPlain, printfFormat, shellQuote } from './shell.ts';

/** A request to be repeated byte for byte. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly ReportedHeader[];
  readonly body: Buffer;
  /** Anything here says that the request was written by hand, which curl cannot repeat. */
  readonly wire?: unknown;
}

export interface CurlInput {
  /** In the order sent. */
  readonly requests: readonly CurlRequest[];
  /** Where a body over 8 KiB goes; a second one gets `-2` before the extension. Without it all bodies stay inline. */
  readonly bodyFile?: string;
  /** How the target's deliveries are signed: schemes with a timestamp sign again, from `$SEAWORTHY_SECRET`. */
  readonly signing?: Signing;
  /** Milliseconds after which curl gives up. Default: never. */
  readonly timeout?: number;
  /** Trust any certificate. */
  readonly insecure?: boolean;
  /** Where the number of effects is the point: the probe (a URL with `{id}`, or a shell command) is asked last. */
  readonly effects?: { readonly probe: string; readonly ids: readonly string[] };
}

export interface CurlScript {
  /** Lines for bash and dash, printable ASCII throughout. */
  readonly text: string;
  /** What must lie beside it. */
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
}

const inlineLimit = 8 * 1024;

/**
 * Shell lines that send these requests again with curl: the same method, headers and bytes, and none of the headers
 * that curl would add.
 *
 * @returns nothing where curl cannot show it: a request written by hand, a header that no client sends, or a
 * time-stamped signature that is not the receiver's own and would have become stale
 */
export function curlScript(input: CurlInput): CurlScript | undefined {
  const { requests, effects } = input;
  const files = filesOf(input);
  const blocks = requests.map((request) => requestBlock(request, input, files));
  if (blocks.length === 0 || !blocks.every((block) => block !== undefined)) return undefined;
  const lines = [...repeated(blocks), ...(effects ? probeLines(effects) : [])];
  return { text: lines.join('\n'), files: [...files.values()] };
}

type Files = ReadonlyMap<string, { readonly path: string; readonly content: Buffer }>;

/** One file for each different large body, by its bytes. */
function filesOf({ requests, bodyFile }: CurlInput): Files {
  const files = new Map<string, { path: string; content: Buffer }>();
  if (bodyFile === undefined) return files;
  for (const { body } of requests) {
    const key = body.toString('latin1');
    if (body.length <= inlineLimit || files.has(key)) continue;
    const path = files.size === 0 ? bodyFile : bodyFile.replace(/(\.[^./]*)?$/, `-${files.size + 1}$1`);
    files.set(key, { path, content: body });
  }
  return files;
}

function requestBlock(request: CurlRequest, input: CurlInput, files: Files): string | undefined {
  if (request.wire !== undefined) return undefined;
  const file = files.get(request.body.toString('latin1'))?.path;
  const decision = mustSignAgain(request, input.signing);
  if (decision === 'impossible') return undefined;
  return decision === 'no' ? plainBlock(request, input, file) : signedBlock(request, input, decision, file);
}

function plainBlock(request: CurlRequest, input: CurlInput, file: string | undefined): string | undefined {
  const headers = curlHeaders(request);
  if (headers === undefined) return undefined;
  const { before, data } = bodyArgument(request, file);
  return before + command(request, input, [...headers, ...data]);
}

function signedBlock(
  request: CurlRequest,
  input: CurlInput,
  how: Resigning,
  file: string | undefined,
): string | undefined {
  const headers = curlHeaders(request, how.values);
  if (headers === undefined) return undefined;
  const source = file === undefined ? `printf ${printfFormat(request.body)}` : `cat ${shellQuote(file)}`;
  const send = command(request, input, [...headers, '--data-binary @-']);
  return [`body() { ${source}; }`, ...signAgain(how), `body | ${send}`].join('\n');
}

function bodyArgument({ method, body }: CurlRequest, file?: string): { before: string; data: readonly string[] } {
  if (file !== undefined) return { before: '', data: [`--data-binary ${shellQuote(`@${file}`)}`] };
  if (body.length === 0 && (method === 'GET' || method === 'HEAD')) return { before: '', data: [] };
  if (isPlain(body)) return { before: '', data: [`--data-raw ${shellQuote(body.toString('latin1'))}`] };
  return { before: `printf ${printfFormat(body)} |\n`, data: ['--data-binary @-'] };
}

function command({ method, url }: CurlRequest, input: CurlInput, rest: readonly string[]): string {
  const verb = method === 'HEAD' ? '--head' : `-X ${/^\w+$/.test(method) ? method : shellQuote(method)}`;
  const options = [
    ...(input.insecure === true ? ['-k'] : []),
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(input.timeout === undefined ? [] : [`-m ${Math.ceil(input.timeout / 1000)}`]),
  ];
  const start = ['curl -sS -i --http1.1', ...options, verb, shellQuote(url)].join(' ');
  return [start, ...rest, `-w '\\n'`].join(' \\\n  ');
}

/** The same request several times in a row is a loop. */
function repeated(blocks: readonly string[]): readonly string[] {
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

function probeLines({ probe, ids }: { readonly probe: string; readonly ids: readonly string[] }): readonly string[] {
  const wait = 'sleep 1';
  if (/^https?:\/\//.test(probe)) {
    return [
      wait,
      ...ids.map((id) => `curl -sS ${shellQuote(probe.replaceAll('{id}', encodeURIComponent(id)))} -w '\\n'`),
    ];
  }
  const simple = /^[\w./:=@%+, -]+$/.test(probe) ? probe : `sh -c ${shellQuote(probe)}`;
  return [wait, `printf '%s\\n' ${ids.map(shellQuote).join(' ')} | ${simple}`];
}
