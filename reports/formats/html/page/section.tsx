import type { ComponentChildren, JSX } from 'preact';

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
