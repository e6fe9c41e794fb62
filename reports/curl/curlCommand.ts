import { isPlain, printfFormat, shellQuote } from './shell.ts';

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
