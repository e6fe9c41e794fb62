import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { RunSummary } from '../../../model/runSummary.ts';
import { parseRoute } from './route.ts';

/** What every page has around its parts: the way past the head, the head, the contents, the end. */
export function Frame(props: {
  head: JSX.Element;
  kit: RunSummary['kit'] | undefined;
  children: ComponentChildren;
}): JSX.Element {
  const { head, kit, children } = props;
  useTarget();
  useOpenInPrint();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      {head}
      <div class="columns">
        <Contents />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <footer>
        <p>
          Made by {kit?.name} {kit?.version} from the journal of the run. This file holds all that it shows, and asks
          nobody for anything.
        </p>
      </footer>
    </>
  );
}

/** Unfolds everything while the page is printed, and folds it again as it was. */
function useOpenInPrint(): void {
  useEffect(() => {
    let opened: readonly HTMLDetailsElement[] = [];
    const open = (): void => {
      opened = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
      for (const each of opened) each.open = true;
    };
    const close = (): void => {
      for (const each of opened) each.open = false;
      opened = [];
    };
    addEventListener('beforeprint', open);
    addEventListener('afterprint', close);
    return () => {
      removeEventListener('beforeprint', open);
      removeEventListener('afterprint', close);
    };
  }, []);
}

/** Shows, and gives the focus to, what the address names: opens what it is folded into first. */
function useTarget(): void {
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

interface Entry {
  readonly id: string;
  readonly title: string;
}

/** What stands on the page, as links: made from the headings that are there. */
function Contents(): JSX.Element {
  const [entries, change] = useState<readonly Entry[]>([]);
  useEffect(() => {
    const parts = [...document.querySelectorAll('main > section, main > .run')];
    change(
      parts.map((part) => {
        const heading = part.querySelector('h2');
        return { id: part.id === '' ? (heading?.id ?? '') : part.id, title: heading?.textContent ?? '' };
      }),
    );
  }, []);
  return (
    <nav class="contents" aria-label="On this page">
      <ul>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${encodeURI(id)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
