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
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
