import { type Explained, entriesOf } from '../runner/cli/explain/run.ts';
import { faultsOf } from '../runner/cli/faultsOf.ts';
import { loadContract } from '../spec/contract.ts';
import { shippedTexts } from '../spec/contractFiles.ts';
import type { Requirement } from '../spec/requirement.ts';

/** A page of a requirement: what `seaworthy explain` says of it. */
interface RequirementPage {
  readonly id: string;
  readonly subject: Requirement['subject'];
  readonly text: string;
}

/** The pages of all requirements, in the order of the contract. */
export async function requirementPages(): Promise<readonly RequirementPage[]> {
  const tracking = loadContract();
  const faults = await faultsOf(tracking);
  // Those of timestamps are required by contracts that sign one.
  const contracts = [tracking, loadContract(shippedTexts('standard-webhooks'))];
  const pages = contracts.flatMap((contract) => {
    const entries = entriesOf(contract, faults);
    return contract.requirements.map((each) => ({ ...each, text: pageOf(entries.get(each.id)!(), each) }));
  });
  return pages.filter(({ id }, index) => pages.findIndex((page) => page.id === id) === index);
}

function pageOf({ title, parts }: Explained, { id, statement }: Requirement): string {
  const sections = parts.flatMap(([heading, texts]) =>
    heading === 'What' || texts.length === 0 ? [] : [`## ${heading}`, listed(texts)],
  );
  const terminal = ['## In a terminal', ['```sh', `seaworthy explain ${id}`, '```'].join('\n')];
  return [`# ${escaped(title)}`, `**${escaped(statement)}**`, ...sections, ...terminal].join('\n\n');
}

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? escaped(texts[0]!) : texts.map((text) => `- ${escaped(text)}`).join('\n');
}

/** Plain text as Markdown: nothing in it is markup. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~@]/g, String.raw`\$&`).replaceAll('\n', ' ');
}
