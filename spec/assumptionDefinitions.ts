import { accepts, isAssumptionKind, isValidAssumption } from './assumptionKinds.ts';
import type { AssumptionDefinition } from './assumptions.ts';
import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';
import { readYaml } from './readYaml.ts';
import type { Gap } from './requirements.ts';

/**
 * Reads `assumptions.yaml` and tests it against the gaps that it fills.
 *
 * @param text - YAML with the list `assumptions`
 * @throws ContractError for an incomplete row, a key that is taken, an unknown gap, a gap that nothing fills, ...
 */
export function parseAssumptions(text: string, gaps: readonly Gap[]): readonly AssumptionDefinition[] {
  const list = readYaml('assumptions.yaml', text)['assumptions'];
  if (!Array.isArray(list) || !list.every(isRecord)) {
    throw invalid('assumptions.yaml has no list "assumptions" of mappings with key, gap, statement, default and kind.');
  }
  const definitions = list.map(definition);
  refuseDuplicates(definitions);
  refuseUnknownGaps(definitions, gaps);
  refuseUnfilledGaps(definitions, gaps);
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

function refuseUnfilledGaps(definitions: readonly AssumptionDefinition[], gaps: readonly Gap[]): void {
  const open = gaps.find(({ id }) => !definitions.some(({ gap }) => gap === id));
  if (open === undefined) return;
  throw new ContractError(
    'contract/gap-without-assumption',
    `${open.id} (${open.statement}) has no assumption; each gap needs at least one. Add it to assumptions.yaml.`,
  );
}
