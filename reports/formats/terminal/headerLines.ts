import { comparedHeaders, type ComparedHeader } from '../../model/comparedHeaders.ts';
import type { ReportedRequest } from '../../model/exchange.ts';
import type { Neighbour } from './neighbour.ts';
import { wrap } from './wrap.ts';

/** The headers of a request. Beside an accepted neighbour, those that differ are followed by what stood there. */
export function headerLines(request: ReportedRequest, twin: Neighbour | undefined, width: number): readonly string[] {
  return comparedHeaders(request, twin).flatMap((header) => linesOf(header, twin).flatMap((line) => wrap(line, width)));
}

function linesOf({ name, value, mark, other }: ComparedHeader, twin: Neighbour | undefined): readonly string[] {
  switch (mark) {
    case 'same':
      return [`${name}: ${value}`];
    case 'differs':
      return [`${name}: ${value}`, `  (${twin?.label}: ${other})`];
    case 'added':
      return [`${name}: ${value}`, `  (not in ${twin?.name})`];
    case 'left-out':
      return [`(left out: ${name}: ${value})`];
  }
}
