import { readFileSync } from 'node:fs';

import { parseAssumptions } from './assumptionDefinitions.ts';
import type { AssumptionDefinition } from './assumptions.ts';
import { ContractError } from './contractError.ts';
import type { ContractForm } from './contractForm.ts';
import type { DeclaredTerms } from './delivery.ts';
import { didYouMean, nearest } from './nearest.ts';
import type { OperationRole } from './names.ts';
import type { Operation } from './operations.ts';
import { type ServicePart, type ServiceTerms, servicePartsOf } from './serviceTerms.ts';
import { readYaml } from './readYaml.ts';
import { type Requirement, type RequirementCatalogue, parseRequirements } from './requirements.ts';

/** What a contract may promise, and what some of the general requirements are about. */
type Promised = 'id' | 'created-at' | 'retries' | 'signature' | 'tolerance' | ServicePart;

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
  const promised = promises(terms, form);
  const about = partsOfRows(general('requirements.yaml'));
  const isPromised = ({ id }: { readonly id: string }): boolean =>
    (about.get(id) ?? []).every((part) => promised.has(part));
  return {
    gaps: gaps.filter(isPromised),
    requirements: requirements
      .filter((each) => changes[each.id] !== false && isPromised(each))
      .filter(({ subject }) => subject === 'receiver' || promised.has('service'))
      .map((requirement) => ({ ...worded(requirement, form), ...changes[requirement.id] })),
  };
}

/** What the assumptions of a contract are made of. */
interface Said {
  readonly terms: DeclaredTerms;
  /** Those of the contract. */
  readonly gaps: RequirementCatalogue['gaps'];
  /** What it says of the service's API, and the operations there. */
  readonly service: ServiceTerms | undefined;
  readonly operations: readonly Operation[];
}

/**
 * The assumptions of a contract: its own file's where it has one, else the general ones about what it leaves open, with
 * what it promises as their defaults.
 *
 * @param own - the text of the contract's `assumptions.yaml`, where it has one
 */
export function assumptionsOf(
  own: string | undefined,
  { terms, gaps, service, operations }: Said,
): readonly AssumptionDefinition[] {
  if (own !== undefined) return parseAssumptions(own, gaps);
  const promised: Readonly<Record<string, string | undefined>> = {
    'signature.header': terms.signature?.headers[0].name,
    'delivery.timeout': terms.timeout === undefined ? undefined : `${terms.timeout}ms`,
    'body.mediaType': terms.mediaType,
    ...(service && promisedByService(service, operations)),
  };
  const { gaps: all } = parseRequirements(general('requirements.yaml'), { section: 'any' });
  return parseAssumptions(general('assumptions.yaml'), all)
    .filter(({ gap }) => gaps.some(({ id }) => id === gap))
    .map((definition) => ({ ...definition, default: promised[definition.key] ?? definition.default }));
}

/** What is said of lists, and the statuses that operations declare. */
function promisedByService({ list = {}, operations: roles }: ServiceTerms, operations: readonly Operation[]) {
  const { items, next, cursor, page = cursor ?? 'page[number]', size = 'page[size]' } = list;
  const successes = (role: OperationRole): string | undefined => {
    const operation = operations.find(({ operationId }) => operationId === roles[role]);
    const declared = Object.keys(operation?.responses ?? {}).filter((status) => /^2(\d\d|XX)$/i.test(status));
    return declared.length === 0 ? undefined : declared.map((status) => status.toLowerCase()).join(',');
  };
  return {
    'list.items': items,
    'list.next': next,
    'list.paging': `${page},${size}`,
    'update.response': successes('update'),
    'trigger.response': successes('sample'),
  };
}

function general(file: 'requirements.yaml' | 'assumptions.yaml'): string {
  return readFileSync(new URL(`./general/${file}`, import.meta.url), 'utf8');
}

interface Row {
  readonly id: string;
  readonly of?: readonly Promised[];
}

/** What a contract must promise for each requirement to apply, and for each gap to be one. */
function partsOfRows(text: string): ReadonlyMap<string, readonly Promised[]> {
  const root = readYaml('requirements.yaml', text);
  const rows = [root['requirements'], root['gaps']] as readonly (readonly Row[])[];
  return new Map(rows.flat().map(({ id, of = [] }) => [id, of]));
}

function promises(
  { id, retries, signature, members, createdAtForm }: DeclaredTerms,
  { service }: ContractForm,
): ReadonlySet<Promised> {
  const all: Readonly<Record<Exclude<Promised, ServicePart>, boolean>> = {
    id: id !== undefined,
    'created-at': members.createdAt !== undefined && createdAtForm === 'rfc3339',
    retries: retries > 0,
    signature: signature !== undefined,
    tolerance: signature?.tolerance !== undefined,
  };
  const own = (Object.keys(all) as (keyof typeof all)[]).filter((part) => all[part]);
  return new Set([...own, ...servicePartsOf(service)]);
}

function worded(requirement: Requirement, { accepts = ['2XX'], retries = 0 }: ContractForm): Requirement {
  const words = { '{accepts}': accepts.join(', '), '{retries}': String(retries), '{attempts}': String(retries + 1) };
  const statement = Object.entries(words).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    requirement.statement,
  );
  return { ...requirement, statement };
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
