import type { Header } from '../../suites/delivery.ts';

/** What can be told of a request that no HTTP parser takes. */
export interface UnreadableRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  /** What follows the first empty line. */
  readonly body: Buffer;
}

/** Reads as much as possible of bytes that should have been a request; nothing where they have no request line. */
export function unreadableRequest(bytes: Buffer): UnreadableRequest | undefined {
  const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n');
  const [requestLine = '', ...lines] = head.split(/\r\n|\r|\n/);
  const [, method, path] = /^\s*(\S+) (\S+)/.exec(requestLine) ?? [];
  if (method === undefined || path === undefined) return undefined;
  return { method, path, headers: lines.map(header), body: Buffer.from(rest.join('\r\n\r\n'), 'latin1') };
}

function header(line: string): Header {
  const [, name = line, value = ''] = /^([^:]*):\s*(.*?)\s*$/s.exec(line) ?? [];
  return [name, value];
}
