import type { ReportedHeader } from '../model/events.ts';
import { isPlain, printfFormat, shellQuote } from './shell.ts';

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
