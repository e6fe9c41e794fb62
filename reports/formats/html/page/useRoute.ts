import { useEffect, useState } from 'preact/hooks';

import { type FilterName, type Filters, parseRoute, type Route, routeText } from './route.ts';

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
