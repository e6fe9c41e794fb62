/** How an expression of a header begins. */
export const inHeader = '$request.header.';

/** Where a delivery carries something: in a header, or at a JSON Pointer (RFC 6901) into its body. */
export type Location =
  | { readonly in: 'header'; readonly name: string }
  | { readonly in: 'body'; readonly pointer: string };

/**
 * Reads an OpenAPI runtime expression (OpenAPI 3.1, 4.8.20.4), as far as the form of a contract allows it.
 *
 * @param expression - `$request.header.<name>` or `$request.body#<pointer>`
 * @example locationOf('$request.body#/data/id') // { in: 'body', pointer: '/data/id' }
 */
export function locationOf(expression: string): Location {
  if (expression.startsWith(inHeader)) return { in: 'header', name: expression.slice(inHeader.length) };
  return { in: 'body', pointer: expression.slice('$request.body#'.length) };
}

/** The expression that `locationOf` reads. */
export function expressionOf(location: Location): string {
  return location.in === 'header' ? `$request.header.${location.name}` : `$request.body#${location.pointer}`;
}
