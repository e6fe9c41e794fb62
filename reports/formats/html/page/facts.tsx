import type { JSX } from 'preact';

import { shown } from './shown.ts';

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
