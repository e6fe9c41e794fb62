import type { Delivery, Header } from '../../suites/delivery.ts';

/**
 * The request line and the headers of a delivery that is written by hand, with the empty line: Host first, then the
 * delivery's own with their casing, then the framing header and `Connection: close` unless they hold a Connection.
 *
 * Each character of a name or value goes out as one byte (ISO 8859-1, so that any byte can be sent); a value with
 * characters beyond U+00FF goes out as UTF-8.
 */
export function requestHead(delivery: Delivery, url: URL): Buffer {
  const { method, headers, wire } = delivery;
  const lines = [wire?.requestLine ?? `${method} ${url.pathname}${url.search} HTTP/1.1`];
  const write = ([name, value]: Header): number => lines.push(`${name}: ${value}`);
  if (!holds(headers, 'host')) write(['Host', url.host]);
  headers.forEach(write);
  framingHeaders(delivery).forEach(write);
  if (!holds(headers, 'connection')) write(['Connection', 'close']);
  return Buffer.concat(lines.map((line) => bytesOf(`${line}\r\n`)).concat(Buffer.from('\r\n')));
}

/** True where one of the headers has this name, given in lower case. */
function holds(headers: readonly Header[], name: string): boolean {
  return headers.some(([key]) => key.length === name.length && key.toLowerCase() === name);
}

function framingHeaders({ wire, body }: Delivery): readonly Header[] {
  if (wire?.framing === 'chunked') return [['Transfer-Encoding', 'chunked']];
  return wire?.framing === 'none' ? [] : [['Content-Length', `${body.length}`]];
}

function bytesOf(line: string): Buffer {
  return Buffer.from(line, /[\u0100-\uffff]/.test(line) ? 'utf8' : 'latin1');
}
