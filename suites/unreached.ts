const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing takes connections there',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host could not be looked up',
  EHOSTUNREACH: 'no way leads to its host',
  ADDRESS_REFUSED: 'the address is not one that may be connected to',
  ENETUNREACH: 'no way leads to its network',
};

/**
 * Why no connection came about, in words; nothing where there was one, and it broke.
 *
 * @example unreached('ECONNREFUSED') // 'nothing takes connections there'
 */
export function unreached(code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
