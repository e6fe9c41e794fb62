import type { ReportedBody } from '../model/exchange.ts';

/** A body as text: as it is where it was text; of other bytes those outside printable ASCII as `<xFF>`. */
export function bodyText({ text, base64 = '' }: Pick<ReportedBody, 'text' | 'base64'>): string {
  if (text !== undefined) return text;
  return Array.from(atob(base64), (byte) =>
    byte >= ' ' && byte <= '~' ? byte : `<x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}>`,
  ).join('');
}
