import { STATUS_CODES } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { Header } from '../../suites/delivery.ts';
import type { AnswerForm } from '../../suites/exchange.ts';

interface FormedAnswer {
  readonly status: number;
  readonly headers?: readonly Header[];
  readonly body?: string;
  readonly form: AnswerForm;
}

/** An answer as it goes over the wire, in a form that the HTTP server of Node does not write. The connection ends after it. */
export function formedAnswer({ status, headers = [], body = '', form }: FormedAnswer): Buffer {
  const bytes = form === 'gzip' ? gzipSync(body) : Buffer.from(body, form === 'Latin-1' ? 'latin1' : 'utf8');
  const version = form === 'HTTP/1.0' ? 'HTTP/1.0' : 'HTTP/1.1';
  const reason = form === 'no reason' ? '' : (STATUS_CODES[status] ?? '');
  const coding: readonly Header[] = form === 'gzip' ? [['Content-Encoding', 'gzip']] : [];
  // In HTTP/1.0 the connection ends after each answer, and the body with it.
  const framing: readonly Header[] =
    form === 'HTTP/1.0'
      ? []
      : [
          ['Content-Length', String(bytes.length)],
          ['Connection', 'close'],
        ];
  const lines = [...headers, ...coding, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${version} ${status} ${reason}\r\n${lines.join('')}\r\n`, 'latin1'), bytes]);
}
