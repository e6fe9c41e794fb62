import type { ReportedHeader, ReportedRequest } from '../exchange.ts';
import type { Neighbour } from './neighbour.ts';
import { wrap } from './wrap.ts';

/**
 * The headers of a request. Beside an accepted neighbour, those that differ are followed by what stood there; a value
 * of the same length is taken for one that every delivery makes anew (a signature, a time), unless the bodies
 * are equal or nothing is made anew.
 */
export function headerLines(request: ReportedRequest, twin: Neighbour | undefined, width: number): readonly string[] {
  const own = request.headers.flatMap(([name, value]) => [
    ...wrap(`${name}: ${value}`, width),
    ...(twin ? counterpart([name, value], request, twin) : []).flatMap((line) => wrap(line, width)),
  ]);
  return twin && request.headers.length > 0
    ? [...own, ...missing(request, twin.request).flatMap((line) => wrap(line, width))]
    : own;
}

function counterpart([name, value]: ReportedHeader, request: ReportedRequest, twin: Neighbour): readonly string[] {
  const values = valuesOf(twin.request, name);
  if (values.includes(value)) return [];
  const [accepted] = values;
  if (accepted === undefined) return [`  (not in ${twin.name})`];
  const anew = twin.anew && accepted.length === value.length && twin.request.body.sha256 !== request.body.sha256;
  return anew ? [] : [`  (${twin.label}: ${accepted})`];
}

function missing(request: ReportedRequest, twin: ReportedRequest): readonly string[] {
  return twin.headers
    .filter(([name]) => valuesOf(request, name).length === 0)
    .map(([name, value]) => `(left out: ${name}: ${value})`);
}

function valuesOf({ headers }: ReportedRequest, name: string): readonly string[] {
  return headers.filter(([candidate]) => candidate.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
}
