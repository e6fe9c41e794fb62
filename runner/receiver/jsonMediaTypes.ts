import type { Contract } from '../../spec/contract.ts';

/** The JSON media types that the contract names anywhere in a request, the delivery's own also with its charset. */
export function jsonMediaTypes({ delivery, operations }: Contract): readonly string[] {
  const { mediaType } = delivery;
  const named = operations.flatMap(({ request }) => Object.keys(request ?? {}));
  const json = named.filter((name) => /[/+]json$/.test(name));
  return [...new Set([`${mediaType}; charset=utf-8`, `${mediaType};charset=UTF-8`, ...json])];
}
