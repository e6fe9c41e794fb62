import { useEffect } from 'preact/hooks';

import { parseRoute } from './route.ts';

/** Shows, and gives the focus to, what the address names: opens what it is folded into first. */
export function useTarget(): void {
  useEffect(() => {
    const show = (): void => goTo(parseRoute(location.hash).anchor);
    show();
    addEventListener('hashchange', show);
    return () => removeEventListener('hashchange', show);
  }, []);
}

function goTo(anchor: string): void {
  const target = anchor === '' ? null : document.getElementById(anchor);
  if (target === null) return;
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
  for (const own of target.querySelectorAll<HTMLDetailsElement>(':scope > details')) own.open = true;
  for (const old of document.querySelectorAll('.aimed')) old.classList.remove('aimed');
  target.classList.add('aimed');
  if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  // The browser goes to the address by itself first: what it does must not come after this.
  requestAnimationFrame(() => {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'start' });
  });
}
