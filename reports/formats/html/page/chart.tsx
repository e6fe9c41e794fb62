import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A plot that is as wide as its place, drawn again when that changes. It is hidden from screen readers: each stands beside a
 * table or a list of the same figures.
 */
export function Chart({ draw }: { draw: (width: number) => Element }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const show = (): void => current.replaceChildren(withoutStyle(draw(Math.max(260, current.clientWidth))));
    show();
    const observer = new ResizeObserver(show);
    observer.observe(current);
    return () => observer.disconnect();
  }, [draw]);
  return <div class="chart" aria-hidden="true" ref={place} />;
}

/** The library brings a style element, which the page's policy forbids: the page's own style says the same. */
function withoutStyle(plot: Element): Element {
  for (const style of plot.querySelectorAll('style')) style.remove();
  return plot;
}
