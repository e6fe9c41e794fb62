import type { ReportedHeader } from '../model/exchange.ts';

const framing = /^(?:date|connection|keep-alive|content-length|transfer-encoding)$/i;

/** The headers of an answer without those that say only how it was carried. */
export function tellingHeaders(headers: readonly ReportedHeader[]): readonly ReportedHeader[] {
  return headers.filter(([name]) => !framing.test(name));
}
