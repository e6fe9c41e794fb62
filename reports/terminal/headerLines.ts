import type { ReportedHeader, ReportedRequest } from '../events.ts';
import { wrap } from './wrap.ts';

/**
 * The headers of a request. Beside an accepted neighbour, those that differ are followed by what stood there; a value
 * of the same length is taken for one that every delivery makes anew (a signature, a time), unless the bodies
 * are equal.
 */
export function headerLines(
  request: ReportedRequest,
  twin: ReportedRequest | undefined,
  width: number,
): readonly string[] {
  const own = request.headers.flatMap(([name, value]) => [
    ...wrap(`${name}: ${value}`, width),
    ...(twin ? counterpart([name, value], request, twin) : []).flatMap((line) => wrap(line, width)),
  ]);
  return twin && request.headers.length > 0
    ? [...own, ...missing(request, twin).flatMap((line) => wrap(line, width))]
    : own;
}

function counterpart(
  [name, value]: ReportedHeader,
  request: ReportedRequest,
  twin: ReportedRequest,
): readonly string[] {
  const values = valuesOf(twin, name);
  if (values.includes(value)) return [];
  const [accepted] = values;
  if (accepted === undefined) return ['  (not in the accepted delivery)'];
  const anew = accepted.length === value.length && twin.body.sha256 !== request.body.sha256;
  return anew ? [] : [`  (accepted: ${accepted})`];
}

function missing(request: ReportedRequest, twin: ReportedRequest): readonly string[] {
  return twin.headers
    .filter(([name]) => valuesOf(request, name).length === 0)
    .map(([name, value]) => `(left out: ${name}: ${value})`);
}

function valuesOf({ headers }: ReportedRequest, name: string): readonly string[] {
  return headers.filter(([candidate]) => candidate.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
}
