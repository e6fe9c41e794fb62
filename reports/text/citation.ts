/**
 * Where a contract says something, as it stands in a sentence: the number of a section with that word before it, anything
 * else (a page, a document) as it is.
 *
 * @example citation('5.2') // 'section 5.2'
 * @example citation('https://docs.example/webhooks') // 'https://docs.example/webhooks'
 */
export function citation(section: string): string {
  return isNumber(section) ? `section ${section}` : section;
}

/** The same where room is short: `§ 5.2`. */
export function shortCitation(section: string): string {
  return isNumber(section) ? `§ ${section}` : section;
}

function isNumber(section: string): boolean {
  return /^[\d., -]+$/.test(section);
}
