import { isJsonObject, type Json } from '../../generators/json/json.ts';
import type { Call } from '../exchange.ts';

export type Query = Readonly<Record<string, string>>;

/** The query that a link to the next page holds: a text, or an object with `href`. Nothing where it cannot be followed. */
export function linkedQuery(link: Json, { request }: Call): Query | undefined {
  const href = isJsonObject(link) ? link['href'] : link;
  if (typeof href !== 'string' || href === '') return undefined;
  return queryOf(href, request.path);
}

/** The address of the next page in the header Link (RFC 8288). */
export function nextLink({ answer }: Call): string | undefined {
  const headers = answer.kind === 'answered' ? answer.headers : [];
  const links = headers.flatMap(([name, value]) => (/^link$/i.test(name) ? [value] : [])).join(', ');
  return /<([^>]*)>(?:\s*;\s*(?!rel\b)[\w*-]+\s*=\s*("[^"]*"|[^\s",;]+))*\s*;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.exec(
    links,
  )?.[1];
}

/** The query of an address; nothing where it has none. */
export function queryOf(href: string, base: string): Query | undefined {
  const url = URL.parse(href, `http://localhost${base}`);
  if (url === null || url.search === '') return undefined;
  return Object.fromEntries(url.searchParams);
}
