import { useEffect, useRef, useState } from 'preact/hooks';

import type { ListedDelivery, PageNews, ShownDelivery } from '../pageData.ts';

/** All that is known of a delivery; nothing where it is no longer kept. */
export async function fetchDelivery(number: number, signal: AbortSignal): Promise<ShownDelivery | undefined> {
  const answer = await fetch(`deliveries/${number}`, { signal });
  return answer.ok ? ((await answer.json()) as ShownDelivery) : undefined;
}

/** A delivery as it is taken elsewhere. */
export async function fetchCopy(number: number, form: 'curl' | 'case' | 'vitest'): Promise<string> {
  const answer = await fetch(`deliveries/${number}/${form}`);
  return answer.text();
}

/** Asks the listener to do something. @throws Error with its words where it does not */
export async function ask(what: 'answer' | 'clear' | 'resend', given: object): Promise<unknown> {
  const answer = await fetch(what, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
  });
  if (answer.ok) return answer.json();
  throw new Error((await answer.text()).trim());
}

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
    // The first message after each connection holds all that is kept.
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
