import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';
import { readYaml } from './parseYaml.ts';

/** How binding a requirement is (RFC 2119). */
export type Level = 'must' | 'should' | 'may';

/** Who a requirement binds: the service that sends, or the receiver that consumes. */
export type Subject = 'service' | 'receiver';

/** One thing that the contract asks for. Its id stays, and stays with it, for good. */
export interface Requirement {
  readonly id: string;
  /** The contract's sections, as a reader would cite them: `4.4, 6`. */
  readonly section: string;
  readonly subject: Subject;
  readonly level: Level;
  /** One sentence, for a reader who does not know the contract. */
  readonly statement: string;
  /** Why it is required, where the list says so. */
  readonly reason?: string;
}

/** Something that the contract leaves open. Nothing may fail because of it. */
export interface Gap {
  readonly id: string;
  readonly section: string;
  readonly statement: string;
}

/** The two lists of `requirements.yaml`. */
export interface RequirementCatalogue {
  readonly requirements: readonly Requirement[];
  readonly gaps: readonly Gap[];
}

const levels: readonly string[] = ['must', 'should', 'may'] satisfies readonly Level[];
const subjects: readonly string[] = ['service', 'receiver'] satisfies readonly Subject[];

/**
 * Reads `requirements.yaml`.
 *
 * @param text - YAML with the lists `requirements` and `gaps`
 * @param options.section - what is cited where a row names no section. Default: each has to
 * @throws ContractError for a row without section, with an unknown level, with an id that is taken, ...
 */
export function parseRequirements(text: string, given: { readonly section?: string } = {}): RequirementCatalogue {
  const root = readYaml('requirements.yaml', text);
  const requirements = rows(root, 'requirements').map((row) => requirement({ ...given, ...row }));
  const gaps = rows(root, 'gaps').map((row) => gap({ ...given, ...row }));
  refuseDuplicates([...requirements, ...gaps].map(({ id }) => id));
  return { requirements, gaps };
}

function rows(root: Readonly<Record<string, unknown>>, list: string): readonly Readonly<Record<string, unknown>>[] {
  const value = root[list];
  if (Array.isArray(value) && value.every(isRecord)) return value;
  throw new ContractError(
    'contract/requirement',
    `requirements.yaml has no list "${list}"; expected is a list of mappings with id, section and statement. Add it.`,
  );
}

function requirement(row: Readonly<Record<string, unknown>>): Requirement {
  return {
    ...gap(row),
    subject: oneOf(row, 'subject', subjects) as Subject,
    level: oneOf(row, 'level', levels) as Level,
    ...(row['reason'] !== undefined && { reason: text(row, 'reason') }),
  };
}

function gap(row: Readonly<Record<string, unknown>>): Gap {
  return { id: text(row, 'id'), section: text(row, 'section'), statement: text(row, 'statement') };
}

function text(row: Readonly<Record<string, unknown>>, member: string): string {
  const value = row[member];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ContractError(
    'contract/requirement',
    `${name(row)} in requirements.yaml has ${received(value)} as its ${member}; a text is expected (quote it where YAML would read a number). Write it down.`,
  );
}

function oneOf(row: Readonly<Record<string, unknown>>, member: string, valid: readonly string[]): string {
  const value = row[member];
  if (typeof value === 'string' && valid.includes(value)) return value;
  throw new ContractError(
    'contract/requirement',
    `${name(row)} in requirements.yaml has ${received(value)} as its ${member}; valid is ${valid.join(', ')}. Choose one of them.`,
  );
}

function name(row: Readonly<Record<string, unknown>>): string {
  return typeof row['id'] === 'string' ? row['id'] : `A row without an id (${JSON.stringify(row).slice(0, 80)})`;
}

function received(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function refuseDuplicates(ids: readonly string[]): void {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new ContractError(
    'contract/requirement-duplicate',
    `requirements.yaml uses the id ${twice} twice; each id may stand there once. Give the new row an id that was never used.`,
  );
}
