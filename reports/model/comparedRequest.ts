import { bodyText } from '../text/bodyText.ts';
import { comparedHeaders, type ComparedHeader, type HeaderNeighbour } from './comparedHeaders.ts';
import { differingPart, exactPart, type DifferingPart } from './differingPart.ts';
import type { Counterexample, ReportedRequest } from './exchange.ts';

/** A request beside its neighbour: what is marked in it is the difference that is meant. */
export interface ComparedRequest {
  readonly headers: readonly ComparedHeader[];
  /** The place where the bodies differ; not there where they say the same. */
  readonly body?: DifferingPart;
  /** Where they say the same: byte for byte, or but for what every request has of its own, such as ids and times. */
  readonly bodies?: 'same' | 'alike';
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
  const body = differingPart(...texts) ?? (isElsewhere ? undefined : exactPart(...texts));
  return { headers, ...(body ? { body } : { bodies: 'alike' }) };
}

/** Whether the requests differ in how they were sent. */
function isSentOtherwise(one: ReportedRequest, other: ReportedRequest): boolean {
  const wayOf = ({ method, url, wire }: ReportedRequest): string => JSON.stringify([method, url, wire]);
  return wayOf(one) !== wayOf(other);
}
