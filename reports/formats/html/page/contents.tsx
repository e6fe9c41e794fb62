import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Entry {
  readonly id: string;
  readonly title: string;
}

/** What stands on the page, as links: made from the headings that are there. */
export function Contents(): JSX.Element {
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
