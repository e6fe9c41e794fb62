import { readFileSync } from 'node:fs';

import { parseAssumptions } from './assumptionDefinitions.ts';
import type { AssumptionDefinition } from './assumptions.ts';
import { ContractError } from './contractError.ts';
import type { ContractForm } from './contractForm.ts';
import type { DeclaredTerms } from './delivery.ts';
import { didYouMean, nearest } from './nearest.ts';
import { readYaml } from './readYaml.ts';
import { type Requirement, type RequirementCatalogue, parseRequirements } from './requirements.ts';

/** What a contract may promise, and what some of the general requirements are about. */
type Promised = 'id' | 'retries' | 'signature' | 'tolerance';

/**
 * The requirements and gaps of a contract: its own file's where it has one, else the general ones that its promises
 * allow, with what `contract.yaml` says of them.
 *
 * @param own - the text of the contract's `requirements.yaml`, where it has one
 * @throws ContractError for an unknown id, an incomplete row, ...
 */
export function requirementsOf(
  form: ContractForm,
  terms: DeclaredTerms,
  own: string | undefined,
): RequirementCatalogue {
  if (own !== undefined) return parseRequirements(own);
  const section = form.source ?? form.title ?? 'the contract';
  const { requirements, gaps } = parseRequirements(general('requirements.yaml'), { section });
  const changes = typeof form.requirements === 'object' ? form.requirements : {};
  requireKnown(Object.keys(changes), requirements);
  const promised = promises(terms);
  const text = general('requirements.yaml');
  const about = new Map(rowsOf(text).map(({ id, of = [] }) => [id, of]));
  return {
    gaps,
    requirements: requirements
      .filter(({ id }) => changes[id] !== false && (about.get(id) ?? []).every((part) => promised.has(part)))
      .map((requirement) => ({ ...worded(requirement, form), ...changes[requirement.id] })),
  };
}

/**
 * The general assumptions, with what a contract promises as their defaults.
 *
 * @param gaps - those of the contract
 */
export function generalAssumptions(
  terms: DeclaredTerms,
  gaps: RequirementCatalogue['gaps'],
): readonly AssumptionDefinition[] {
  const promised: Readonly<Record<string, string | undefined>> = {
    'signature.header': terms.signature?.headers[0].name,
    'delivery.timeout': terms.timeout === undefined ? undefined : `${terms.timeout}ms`,
    'body.mediaType': terms.mediaType,
  };
  return parseAssumptions(general('assumptions.yaml'), gaps).map((definition) => {
    return { ...definition, default: promised[definition.key] ?? definition.default };
  });
}

function general(file: 'requirements.yaml' | 'assumptions.yaml'): string {
  return readFileSync(new URL(`./general/${file}`, import.meta.url), 'utf8');
}

function rowsOf(text: string): readonly { readonly id: string; readonly of?: readonly Promised[] }[] {
  return readYaml('requirements.yaml', text)['requirements'] as ReturnType<typeof rowsOf>;
}

function promises({ id, retries, signature }: DeclaredTerms): ReadonlySet<Promised> {
  const all: Readonly<Record<Promised, boolean>> = {
    id: id !== undefined,
    retries: retries > 0,
    signature: signature !== undefined,
    tolerance: signature?.tolerance !== undefined,
  };
  return new Set((Object.keys(all) as Promised[]).filter((part) => all[part]));
}

function worded(requirement: Requirement, { accepts = ['2XX'] }: ContractForm): Requirement {
  return { ...requirement, statement: requirement.statement.replace('{accepts}', accepts.join(', ')) };
}

function requireKnown(ids: readonly string[], requirements: readonly Requirement[]): void {
  const known = requirements.map(({ id }) => id);
  const stray = ids.find((id) => !known.includes(id));
  if (stray === undefined) return;
  const meant = didYouMean(nearest(stray, known));
  throw new ContractError(
    'contract/requirement',
    `/requirements of contract.yaml names ${stray}, which is no general requirement${meant === undefined ? '.' : `: ${meant}`} Valid are ${known.join(', ')}. Correct the id or remove it.`,
  );
}
