import type { ComponentChildren, JSX } from 'preact';

import { visible } from '../../../text/visible.ts';

/** Text of any origin, safe to read: what cannot be seen is spelled out; lines stay lines. */
export function shown(text: string): string {
  return visible(text, '\n');
}

/** A sentence that begins with a capital, unless it begins with a name: an id, an option, a path. */
export function sentence(text: string): string {
  const safe = shown(text);
  return /^[a-z]+['’]?[a-z]*(?![\w/.:=-])/.test(safe) ? safe.charAt(0).toUpperCase() + safe.slice(1) : safe;
}

/** A sentence in which no option and no id of a requirement is broken at its hyphens. */
export function Sentence({ text }: { text: string }): JSX.Element {
  const parts = sentence(text).split(/((?<!\S)--[a-z-]+|\b[A-Z]{3}-\d+\b)/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <span class="unbroken">{part}</span>))}</>;
}

/** A part of the page with a heading and an address. */
export function Section(props: {
  id: string;
  title: string;
  /** What the part is for, in a line. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { id, title, lead, children } = props;
  // Where the page shows several runs, each part is named after its run as well.
  const [run] = id.split('/');
  const name = run === id ? `${id}-title` : `${run} ${id}-title`;
  return (
    <section id={id} aria-labelledby={name}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** How the parts of one run are addressed; where a page shows several runs, each has a prefix. */
export type Anchors = (id: string) => string;

/** @param prefix - empty where the page shows one run */
export function anchorsOf(prefix: string): Anchors {
  return (id) => (prefix === '' ? id : `${prefix}/${id}`);
}

/** The address of an anchor, for a link. */
export function linkTo(anchor: string): string {
  return `#${encodeURI(anchor)}`;
}

/** Names and values, side by side. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: string])[] }): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The names of a table's columns. */
export function ColumnNames({ names }: { names: readonly string[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Texts, one below the other. */
export function TextList({ texts }: { texts: readonly string[] }): JSX.Element {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>{shown(text)}</li>
      ))}
    </ul>
  );
}
