import { useEffect, useState } from 'preact/hooks';

/** The route of the address, as it changes. */
export function useRoute(): Route {
  const [route, change] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = (): void => change(parseRoute(location.hash));
    const events = ['hashchange', changed] as const;
    for (const event of events) addEventListener(event, follow);
    return () => events.forEach((event) => removeEventListener(event, follow));
  }, []);
  return route;
}

/** Changes one filter, and the address with it, without a step in the history for each letter. */
export function setFilter(anchor: string, filters: Filters, name: FilterName, value: string): void {
  history.replaceState(null, '', routeText({ anchor, filters: { ...filters, [name]: value } }));
  dispatchEvent(new Event(changed));
}

const changed = 'seaworthy:route';

/** What the address of the page says behind its `#`: where to look, and which rows to show. */
interface Route {
  /** A requirement, a check or a section; empty for the top. */
  readonly anchor: string;
  readonly filters: Filters;
}

/** What rows are filtered by; a name that is not there shows all. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export const filterNames = ['outcome', 'level', 'subject', 'text'] as const;

export type FilterName = (typeof filterNames)[number];

/** @example parseRoute('#requirements?outcome=broken') // { anchor: 'requirements', filters: { outcome: 'broken' } } */
export function parseRoute(hash: string): Route {
  const [anchor = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const given = new URLSearchParams(query);
  const filters = filterNames.flatMap((name) => {
    const value = given.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { anchor: decoded(anchor), filters: Object.fromEntries(filters) };
}

/** The other way round. */
export function routeText({ anchor, filters }: Route): string {
  const query = new URLSearchParams(filterNames.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  return `#${encodeURI(anchor)}${query.size === 0 ? '' : `?${query}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
