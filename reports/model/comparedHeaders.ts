import { differingPart } from './differingPart.ts';
import type { ReportedHeader, ReportedRequest } from './exchange.ts';

/**
 * A header of a request beside its neighbour. `same`: nothing to say (or there is no neighbour); `differs`: the neighbour
 * has `other`; `added`: the neighbour has none; `left-out`: only the neighbour has it, and `value` is the neighbour's.
 */
export interface ComparedHeader {
  readonly name: string;
  readonly value: string;
  readonly mark: 'same' | 'differs' | 'added' | 'left-out';
  readonly other?: string;
}

/** The neighbour that headers are compared with. */
export interface HeaderNeighbour {
  readonly request: ReportedRequest;
  /** True where signatures and times are made anew for each, so that they differ without meaning anything. */
  readonly anew: boolean;
  /** True where the kit gives each an id of its own. Default false. */
  readonly ownId?: boolean;
}

/**
 * The headers of a request, those that only its neighbour has at the end. A value of the same length is taken for one that
 * every delivery makes anew (a signature, a time), unless the bodies are equal or nothing is made anew.
 */
export function comparedHeaders(request: ReportedRequest, twin?: HeaderNeighbour): readonly ComparedHeader[] {
  const own = request.headers.map((header) => compared(header, request, twin));
  if (twin === undefined || request.headers.length === 0) return own;
  const missing = twin.request.headers.filter(([name]) => valuesOf(request, name).length === 0);
  return [...own, ...missing.map(([name, value]) => ({ name, value, mark: 'left-out' as const }))];
}

function compared([name, value]: ReportedHeader, request: ReportedRequest, twin?: HeaderNeighbour): ComparedHeader {
  if (twin === undefined) return { name, value, mark: 'same' };
  const values = valuesOf(twin.request, name);
  const [accepted] = values;
  if (accepted === undefined) return { name, value, mark: 'added' };
  const anew = twin.anew && accepted.length === value.length && twin.request.body.sha256 !== request.body.sha256;
  return anew || values.some((other) => differingPart(other, value) === undefined)
    ? { name, value, mark: 'same' }
    : { name, value, mark: 'differs', other: accepted };
}

function valuesOf({ headers }: ReportedRequest, name: string): readonly string[] {
  return headers.filter(([candidate]) => candidate.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
}
