import type { Header } from '../../../suites/delivery.ts';

/** What belongs to one connection, and not to the message (RFC 9110, 7.6.1); the target's own host goes in place of the proxy's. */
const ofTheConnection = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Name after name, value after value, as Node gives raw headers, in pairs. */
export function headerPairs(raw: readonly string[]): readonly Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** The headers that go on, in their order and with their casing: all but those of the connection. */
export function passingHeaders(headers: readonly Header[]): readonly Header[] {
  const named = headers.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value);
  const listed = new Set(
    named
      .join(',')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
  return headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()) && !listed.has(name.toLowerCase()));
}
