import type { ReportedContract } from '../model/selectionEvents.ts';

/**
 * Where a contract says something, as it stands in a sentence: the number of a section with that word before it, anything
 * else (a page, a document) as it is. Of what no provider says, but holds for all webhooks, the section is `general`.
 *
 * @example citation('5.2') // 'section 5.2'
 * @example citation('https://docs.example/webhooks') // 'https://docs.example/webhooks'
 * @example citation('general') // 'the general requirements'
 */
export function citation(section: string): string {
  if (section === 'general') return 'the general requirements';
  return isNumber(section) ? `section ${section}` : section;
}

/** The same for readers who may not know what it is a section of. */
export function fullCitation(section: string): string {
  return isNumber(section) ? `${citation(section)} of the contract` : citation(section);
}

/** The same where room is short: `§ 5.2`. */
export function shortCitation(section: string): string {
  return isNumber(section) ? `§ ${section}` : section;
}

/** What a target was tested against: `Parcel Post 1 (https://parcels.example/docs)`. */
export function contractText({ title, version, source }: ReportedContract): string {
  return `${title} ${version}${source === undefined ? '' : ` (${source})`}`;
}

function isNumber(section: string): boolean {
  return /^[\d., -]+$/.test(section);
}
