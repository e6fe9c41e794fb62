import type { Json } from '../../generators/json/json.ts';
import { withPointer } from '../../generators/json/jsonPointer.ts';
import { type ServiceTerms, trackingTerms } from '../../spec/serviceTerms.ts';

/** A number that can be tracked, or cannot, and the code of who issued it. */
export interface TrackedNumber {
  readonly issuer: string;
  readonly number: string;
}

/**
 * The body of a tracking request.
 *
 * @param requestType - Default: the one that every service knows
 */
export function trackingBody(
  terms: ServiceTerms,
  { issuer, number }: TrackedNumber,
  requestType = trackingTerms(terms).requestType,
): Json {
  const { members, type, wrapper } = trackingTerms(terms);
  const holder = members.number.replace(/\/[^/]*$/, '');
  const bare: Json = holder === '' ? { type } : withPointer({ type }, holder, {});
  const attributes = [
    [members.requestType, requestType],
    [members.number, number],
    [members.issuer, issuer],
  ] as const;
  const resource = attributes.reduce<Json>((value, [pointer, text]) => withPointer(value, pointer, text), bare);
  return withPointer({}, wrapper, resource);
}
