import { fullCitation } from '../reports/text/citation.ts';
import type { Explained } from '../reports/model/document.ts';
import { entriesOf } from '../runner/cli/explain/run.ts';
import { faultsOf } from '../runner/cli/lazyReference.ts';
import { loadContract } from '../spec/contract.ts';
import { shippedTexts } from '../spec/contractFiles.ts';
import type { Requirement } from '../spec/requirement.ts';

/** A page of a requirement: what `seaworthy explain` says of it. */
interface RequirementPage {
  readonly id: string;
  readonly subject: Requirement['subject'];
  readonly text: string;
}

/**
 * The pages of all requirements, in the order of the contract. What the default contract does not require stands behind the
 * others of its family.
 */
export async function requirementPages(): Promise<readonly RequirementPage[]> {
  const tracking = loadContract();
  const faults = await faultsOf(tracking);
  // Those of timestamps are required by contracts that sign one.
  const name = 'standard-webhooks';
  const beyond = loadContract(shippedTexts(name), { name });
  const pages = [tracking, beyond].flatMap((contract) => {
    const entries = entriesOf(contract, faults);
    const words = contract === tracking ? '' : ` --contract ${name}`;
    return contract.requirements.map((each) => ({ ...each, text: pageOf(entries.get(each.id)!(), each, words) }));
  });
  const families = [...new Set(pages.map(familyOf))];
  return pages
    .filter(({ id }, index) => pages.findIndex((page) => page.id === id) === index)
    .toSorted((one, other) => families.indexOf(familyOf(one)) - families.indexOf(familyOf(other)));
}

/** The family of an id, of one side: each has its own order. @example familyOf({ subject: 'receiver', id: 'VRF-7' }) // 'receiver VRF' */
function familyOf({ subject, id }: Pick<RequirementPage, 'subject' | 'id'>): string {
  return `${subject} ${id.split('-')[0]}`;
}

/** @param words - what names the contract on the command line, where it is not the default */
function pageOf({ parts }: Explained, { id, level, subject, section, statement }: Requirement, words: string): string {
  const sections = parts.flatMap(([heading, texts]) =>
    heading === 'What' || texts.length === 0 ? [] : [`## ${heading}`, listed(texts)],
  );
  const origin = words === '' ? '' : ` Only a contract that signs a timestamp requires it.`;
  return [
    `# ${id}: a ${level.toUpperCase()} for a ${subject}`,
    `**${escaped(statement)}**`,
    `Source: ${escaped(fullCitation(section))}.${origin}`,
    ...sections,
    '## In a terminal',
    ['```sh', `seaworthy explain ${id}${words}`, '```'].join('\n'),
  ].join('\n\n');
}

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? escaped(texts[0]!) : texts.map((text) => `- ${escaped(text)}`).join('\n');
}

/** Plain text as Markdown: nothing in it is markup. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~@]/g, String.raw`\$&`).replaceAll('\n', ' ');
}
