import type { JSX } from 'preact';

import type { ComparedHeader } from '../../../model/comparedHeaders.ts';
import type { Neighbour } from '../../terminal/neighbour.ts';
import { shown } from './shown.ts';

/** The headers of a message; what the neighbour has otherwise, more or less is marked. */
export function HeaderList(props: { headers: readonly ComparedHeader[]; neighbour?: Neighbour }): JSX.Element | null {
  const { headers, neighbour } = props;
  if (headers.length === 0) return null;
  return (
    <ul class="headers">
      {headers.map((header, index) => (
        <li key={index} class={header.mark}>
          <b>{shown(header.name)}:</b> {shown(header.value)}
          <Remark header={header} neighbour={neighbour} />
        </li>
      ))}
    </ul>
  );
}

function Remark({
  header,
  neighbour,
}: {
  header: ComparedHeader;
  neighbour: Neighbour | undefined;
}): JSX.Element | null {
  const { mark, other = '' } = header;
  switch (mark) {
    case 'same':
      return null;
    case 'differs':
      return (
        <span class="remark">
          {neighbour?.label}: {shown(other)}
        </span>
      );
    case 'added':
      return <span class="remark">not in {neighbour?.name}</span>;
    case 'left-out':
      return <span class="remark">only in {neighbour?.name}: left out here</span>;
  }
}
