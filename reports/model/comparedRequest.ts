import { bodyText } from '../text/visible.ts';
import { differingPart, exactPart, type DifferingPart, type OwnIds } from './differingPart.ts';
import {
  isCaught,
  type Counterexample,
  type ReportedExchange,
  type ReportedRequest,
  type ReportedHeader,
} from './exchange.ts';

/** A request beside its neighbour: what is marked in it is the difference that is meant. */
export interface ComparedRequest {
  readonly headers: readonly ComparedHeader[];
  /** The place where the bodies differ; not there where they say the same. */
  readonly body?: DifferingPart;
  /** Where they say the same: byte for byte, or but for what every request has of its own, such as ids and times. */
  readonly bodies?: 'same' | 'alike';
}

/** The exchange that decides: the last one, or where that was only to look what had come of it, the last of the twin's kind. */
export function decisiveOf(
  exchanges: readonly ReportedExchange[],
  twin: ReportedExchange | undefined,
): ReportedExchange | undefined {
  const last = exchanges.at(-1);
  if (twin === undefined || last === undefined || isCaught(twin)) return last;
  const isLooking = !isCaught(last) && last.request.body.bytes === 0 && twin.request.body.bytes > 0;
  const isAlike = (one: ReportedExchange): boolean => !isCaught(one) && one.request.method === twin.request.method;
  return (isLooking && last.request.method !== twin.request.method && exchanges.findLast(isAlike)) || last;
}

/** What reports say before the neighbour's name. */
export const bodiesWords = { same: 'the same as in', alike: 'but for ids and times the same as in' } as const;

/** What a case says of the difference that it is about. */
export type MeantDifference = Pick<Counterexample['exchange'], 'difference' | 'differsIn'>;

/**
 * Compares a request with its neighbour. What every request has of its own (ids, times, signatures) is marked only where it
 * is what is meant: where the case says so, or where it says nothing and the requests differ in nothing else.
 */
export function comparedRequest(
  request: ReportedRequest,
  twin?: HeaderNeighbour,
  { difference, differsIn }: MeantDifference = {},
): ComparedRequest {
  if (twin === undefined) return { headers: comparedHeaders(request) };
  const headers = comparedHeaders(request, differsIn === 'signature' ? { ...twin, anew: false } : twin);
  if (twin.request.body.sha256 === request.body.sha256) return { headers, bodies: 'same' };
  const texts = [bodyText(twin.request.body), bodyText(request.body)] as const;
  const isElsewhere =
    (difference !== undefined && twin.ownId === true) ||
    isSentOtherwise(request, twin.request) ||
    headers.some(({ mark }) => mark !== 'same');
  const body = differingPart(...texts, ownIds(request, twin)) ?? (isElsewhere ? undefined : exactPart(...texts));
  return { headers, ...(body ? { body } : { bodies: 'alike' }) };
}

/** The ids that the kit gave both, where each has one of its own. */
function ownIds(request: ReportedRequest, { request: { id }, ownId }: HeaderNeighbour): OwnIds {
  return ownId === true && id !== undefined && request.id !== undefined ? [id, request.id] : [];
}

/** Whether the requests differ in how they were sent. */
function isSentOtherwise(one: ReportedRequest, other: ReportedRequest): boolean {
  const wayOf = ({ method, url, wire }: ReportedRequest): string => JSON.stringify([method, url, wire]);
  return wayOf(one) !== wayOf(other);
}

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
interface HeaderNeighbour {
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
function comparedHeaders(request: ReportedRequest, twin?: HeaderNeighbour): readonly ComparedHeader[] {
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
  return anew || values.some((other) => differingPart(other, value, ownIds(request, twin)) === undefined)
    ? { name, value, mark: 'same' }
    : { name, value, mark: 'differs', other: accepted };
}

function valuesOf({ headers }: ReportedRequest, name: string): readonly string[] {
  return headers.filter(([candidate]) => candidate.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
}
