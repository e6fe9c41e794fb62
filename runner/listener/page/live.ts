import { useEffect, useRef, useState } from 'preact/hooks';

import type { ListedDelivery, PageNews } from '../pageData.ts';

/** What the page knows of what came. */
export interface Live {
  /** By number, in the order of arrival. */
  readonly deliveries: ReadonlyMap<number, ListedDelivery>;
  /** Nothing before the first message. */
  readonly news: Omit<PageNews, 'deliveries'> | undefined;
  readonly connected: boolean;
}

const nothing: Live = { deliveries: new Map(), news: undefined, connected: false };

/** What happens at the listener, as it happens. It holds what the listener holds, and no more. */
export function useLive(): Live {
  const [live, change] = useState<Live>(nothing);
  const kept = useRef(new Map<number, ListedDelivery>());
  useEffect(() => {
    const source = new EventSource('news');
    let isFresh = true;
    // The first message after each connection tells all that is kept.
    source.onopen = () => (isFresh = true);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const { deliveries, ...news } = JSON.parse(data) as PageNews;
      if (isFresh) kept.current.clear();
      isFresh = false;
      for (const each of deliveries) kept.current.set(each.number, each);
      for (const number of kept.current.keys()) {
        if (number >= news.oldest) break;
        kept.current.delete(number);
      }
      change({ deliveries: kept.current, news, connected: true });
    };
    source.onerror = () => change((before) => ({ ...before, connected: false }));
    return () => source.close();
  }, []);
  return live;
}
