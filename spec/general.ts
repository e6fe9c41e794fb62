import { readFileSync } from 'node:fs';

import { type AssumptionDefinition, accepts, isAssumptionKind, isValidAssumption } from './assumptions.ts';
import { ContractError } from './contractError.ts';
import type { ContractForm } from './contractForm.ts';
import { type ContractPart, partsOf } from './contractParts.ts';
import type { DeclaredTerms } from './delivery.ts';
import { didYouMean, nearest } from './nearest.ts';
import type { OperationRole } from './names.ts';
import type { Operation } from './operations.ts';
import type { ServiceTerms } from './serviceTerms.ts';
import { readYaml } from './parseYaml.ts';
import { type Gap, type Requirement, parseRequirements, type RequirementCatalogue } from './requirement.ts';
import { isRecord } from './jsonSchema.ts';

/**
 * The requirements and gaps of a contract: its own file's where it has one, else the general ones that its parts
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
  if (own !== undefined) return withReasons(parseRequirements(own));
  const { requirements, gaps } = parseRequirements(general('requirements.yaml'), { section: 'general' });
  const changes = typeof form.requirements === 'object' ? form.requirements : {};
  requireKnown(Object.keys(changes), requirements);
  const promised = partsOf({ delivery: terms, service: form.service });
  const rows = readYaml('requirements.yaml', general('requirements.yaml'));
  const about = partsOfRows(rows['requirements'], rows['gaps']);
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

/** A requirement of a list of its own that gives no reason has the one of the general requirement with its id. */
function withReasons({ requirements, gaps }: RequirementCatalogue): RequirementCatalogue {
  const { requirements: all } = parseRequirements(general('requirements.yaml'), { section: 'general' });
  const reasons = new Map(all.map(({ id, reason }) => [id, reason]));
  return {
    gaps,
    requirements: requirements.map((each) => {
      const { reason = reasons.get(each.id) } = each;
      return reason === undefined ? each : { ...each, reason };
    }),
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
  const { gaps: all } = parseRequirements(general('requirements.yaml'), { section: 'general' });
  const parts = partsOf({ delivery: terms, service });
  const about = partsOfRows(readYaml('assumptions.yaml', general('assumptions.yaml'))['assumptions']);
  return parseAssumptions(general('assumptions.yaml'), all)
    .filter(({ gap }) => gaps.some(({ id }) => id === gap))
    .filter(({ key }) => (about.get(key) ?? []).every((part) => parts.has(part)))
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
  readonly id?: string;
  readonly key?: string;
  readonly of?: readonly ContractPart[];
}

/** What a contract must have for each requirement or assumption to apply, or for each gap to be one: by its id or key. */
function partsOfRows(...lists: readonly unknown[]): ReadonlyMap<string, readonly ContractPart[]> {
  const rows = (lists as readonly (readonly Row[])[]).flat();
  return new Map(rows.map(({ id, key, of = [] }) => [id ?? key ?? '', of]));
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
    `/requirements names ${stray}, which is no general requirement${meant === undefined ? '.' : `: ${meant}`} Valid are ${known.join(', ')}. Correct the id or remove it.`,
  );
}

/**
 * Reads `assumptions.yaml` and tests it against the gaps that it fills.
 *
 * @param text - YAML with the list `assumptions`
 * @throws ContractError for an incomplete row, a key that is taken, an unknown gap, ...
 */
function parseAssumptions(text: string, gaps: readonly Gap[]): readonly AssumptionDefinition[] {
  const list = readYaml('assumptions.yaml', text)['assumptions'];
  if (!Array.isArray(list) || !list.every(isRecord)) {
    throw invalid('assumptions.yaml has no list "assumptions" of mappings with key, gap, statement, default and kind.');
  }
  const definitions = list.map(definition);
  refuseDuplicates(definitions);
  refuseUnknownGaps(definitions, gaps);
  return definitions;
}

function definition(row: Readonly<Record<string, unknown>>): AssumptionDefinition {
  const key = text(row, 'key');
  const kind = row['kind'];
  if (!isAssumptionKind(kind)) throw invalid(`${key} has the kind ${JSON.stringify(kind)}, which does not exist.`);
  const values = valuesOf(row, key, kind === 'one-of');
  const example = text(row, 'example');
  for (const value of [text(row, 'default'), example]) {
    if (!isValidAssumption(kind, values, value)) {
      throw invalid(`${key} has "${value}" as default or example, but takes ${accepts(kind, values)}.`);
    }
  }
  return {
    key,
    gap: text(row, 'gap'),
    statement: text(row, 'statement'),
    default: text(row, 'default'),
    kind,
    values,
    accepts: accepts(kind, values),
    ...(row['operation'] !== undefined && { operation: text(row, 'operation') }),
    how: `--assume ${key}=${/^[\w.:/,+=-]+$/.test(example) ? example : `'${example}'`}`,
  };
}

function valuesOf(row: Readonly<Record<string, unknown>>, key: string, needed: boolean): readonly string[] {
  const values = row['values'] ?? [];
  const list = Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : [];
  if (needed === list.length > 0) return list;
  throw invalid(`${key} must list its values (texts) where its kind is one-of, and only there.`);
}

function text(row: Readonly<Record<string, unknown>>, member: string): string {
  const value = row[member];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  const name = typeof row['key'] === 'string' ? row['key'] : 'A row without a key';
  throw invalid(`${name} has ${JSON.stringify(value) ?? 'nothing'} as its ${member}; a text is expected.`);
}

function invalid(what: string): ContractError {
  return new ContractError('contract/assumption', `${what} Correct that row of assumptions.yaml.`);
}

function refuseDuplicates(definitions: readonly AssumptionDefinition[]): void {
  const keys = definitions.map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice === undefined) return;
  throw new ContractError(
    'contract/assumption-duplicate',
    `assumptions.yaml has the key ${twice} twice; each key may stand there once. Rename or remove one.`,
  );
}

function refuseUnknownGaps(definitions: readonly AssumptionDefinition[], gaps: readonly Gap[]): void {
  const stray = definitions.find(({ gap }) => !gaps.some(({ id }) => id === gap));
  if (stray === undefined) return;
  throw new ContractError(
    'contract/assumption-gap',
    `The assumption ${stray.key} fills ${stray.gap}, which requirements.yaml does not list; it lists ${gaps.map(({ id }) => id).join(', ')}. Name one of these, or add the gap.`,
  );
}
