import { ContractError } from './contractError.ts';
import type { AssumptionKey } from './names.ts';
import { parseDuration, parseSize } from './units.ts';
import { contractScheme, parseScheme, schemeSyntax } from './signatureScheme.ts';

/** What may be assumed where the contract is silent, and how a user says otherwise. */
export interface AssumptionDefinition {
  /** What the user writes before the `=` of `--assume`. */
  readonly key: string;
  /** The gap that it fills. */
  readonly gap: string;
  /** What it decides, in one sentence. */
  readonly statement: string;
  readonly default: string;
  readonly kind: AssumptionKind;
  /** The valid values of the kind `one-of`; else empty. */
  readonly values: readonly string[];
  /** What it may be set to, in plain words. */
  readonly accepts: string;
  /** The operationId whose method and path it fills in; nothing for other assumptions. */
  readonly operation?: string;
  /** An option that sets it: `--assume signature.header=X-Signature`. */
  readonly how: string;
}

/** One assumption as a run uses it. */
export interface Assumption {
  readonly gap: string;
  readonly key: string;
  readonly value: string;
  readonly source: 'default' | 'option' | 'learned';
}

/** The user named an assumption that does not exist, or gave it a value that it cannot have. */
export class AssumptionError extends Error {
  override readonly name = 'AssumptionError';
  readonly code: 'assumption/unknown-key' | 'assumption/invalid-value';

  constructor(code: AssumptionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const seeAll = 'seaworthy requirements --assumptions lists them all';

/**
 * The assumptions of a run: every default, with the user's own in its place where there is one.
 *
 * @param overrides - key to text, as `--assume <key>=<value>` gives them
 * @param source - where the overrides come from. Default `option`
 * @throws AssumptionError naming the key and what is valid
 * @example resolveAssumptions(contract.assumptions, { 'delivery.timeout': '5s' })
 */
export function resolveAssumptions(
  definitions: readonly AssumptionDefinition[],
  overrides: Readonly<Record<string, string>> = {},
  source: 'option' | 'learned' = 'option',
): readonly Assumption[] {
  for (const key of Object.keys(overrides)) {
    if (!definitions.some((definition) => definition.key === key)) throw unknownKey(key, definitions);
  }
  return definitions.map((definition) => resolve(definition, overrides, source));
}

/**
 * The value of one assumption.
 *
 * @throws ContractError (`contract/unknown-name`) for a key that is not among them
 */
export function assumptionValue(assumptions: readonly Assumption[], key: AssumptionKey): string {
  const found = assumptions.find((assumption) => assumption.key === key);
  if (found !== undefined) return found.value;
  throw new ContractError(
    'contract/unknown-name',
    `The contract has no assumption "${key}"; it has ${assumptions.map((each) => each.key).join(', ')}. Add it to assumptions.yaml or ask for one of these.`,
  );
}

function resolve(
  definition: AssumptionDefinition,
  overrides: Readonly<Record<string, string>>,
  source: 'option' | 'learned',
): Assumption {
  const { gap, key, kind, values } = definition;
  const override = Object.hasOwn(overrides, key) ? overrides[key]?.trim() : undefined;
  if (override === undefined) return { gap, key, value: definition.default, source: 'default' };
  if (isValidAssumption(kind, values, override)) return { gap, key, value: override, source };
  throw new AssumptionError(
    'assumption/invalid-value',
    `The assumption ${key} cannot be "${override}". Valid is ${definition.accepts}, for example ${definition.how} (${seeAll}).`,
  );
}

function unknownKey(key: string, definitions: readonly AssumptionDefinition[]): AssumptionError {
  const keys = definitions.map((definition) => definition.key).join(', ');
  return new AssumptionError(
    'assumption/unknown-key',
    `There is no assumption "${key}". Valid keys are ${keys} (${seeAll}).`,
  );
}

/** A kind of value that an assumption may be set to. */
type AssumptionKind =
  | 'text'
  | 'one-of'
  | 'list'
  | 'name'
  | 'pointer'
  | 'parameters'
  | 'integer'
  | 'duration'
  | 'durations'
  | 'size'
  | 'header-name'
  | 'media-type'
  | 'scheme'
  | 'operation'
  | 'statuses';

interface Kind {
  /** What is valid, in plain words. */
  readonly accepts: string;
  readonly isValid: (value: string) => boolean;
}

/** The kinds but `one-of`, whose valid values stand with the assumption. */
const kinds: Readonly<Record<Exclude<AssumptionKind, 'one-of'>, Kind>> = {
  text: { accepts: 'any text that is not empty', isValid: (value) => value.trim() !== '' },
  list: { accepts: 'words separated by commas', isValid: (value) => /^[\w.:/-]+(,[\w.:/-]+)*$/.test(value) },
  name: { accepts: 'the name of a JSON member', isValid: (value) => /^[\w.-]+$/.test(value) },
  pointer: {
    accepts: 'a JSON Pointer (/data, /links/next), empty for the whole answer',
    isValid: (value) => /^(\/([^~/\s]|~[01])+)*$/.test(value),
  },
  parameters: {
    accepts: 'two query parameters separated by a comma, the page and its size (page,per_page)',
    isValid: (value) => /^[\w.[\]-]+,[\w.[\]-]+$/.test(value),
  },
  integer: { accepts: 'a whole number from 0 on', isValid: (value) => /^(0|[1-9]\d{0,8})$/.test(value) },
  duration: { accepts: 'a duration (250ms, 10s, 2m, 1h)', isValid: reads(parseDuration) },
  durations: {
    accepts: 'any, or durations separated by commas (1s,5s,30s)',
    isValid: (value) => value === 'any' || value.split(',').every(reads(parseDuration)),
  },
  size: { accepts: 'a size (64KiB, 1MiB, or a number of bytes)', isValid: reads(parseSize) },
  'header-name': {
    accepts: "the name of an HTTP header (RFC 9110: letters, digits and !#$%&'*+-.^_`|~)",
    isValid: (value) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(value),
  },
  'media-type': {
    accepts: 'a media type (application/json, with parameters where needed)',
    isValid: (value) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/.test(value),
  },
  scheme: {
    accepts: `${schemeSyntax}; or ${contractScheme}, for what the contract itself says`,
    isValid: (value) => value === contractScheme || reads(parseScheme)(value),
  },
  operation: {
    accepts: 'a method and a path below the base address, without empty or dotted segments (PATCH /webhooks/{id})',
    isValid: (value) => /^(GET|POST|PUT|PATCH|DELETE) (\/|(\/(?!\.{1,2}(\/|$))[\w\-.~{}]+)+\/?)$/.test(value),
  },
  statuses: {
    accepts: 'statuses or classes separated by commas (201 or 2xx or 401,403)',
    isValid: (value) => /^[1-5](\d\d|xx)(,[1-5](\d\d|xx))*$/.test(value),
  },
};

/** True for the name of a kind. */
export function isAssumptionKind(name: unknown): name is AssumptionKind {
  return typeof name === 'string' && (name === 'one-of' || Object.hasOwn(kinds, name));
}

/** What a value of this kind may be, in plain words. `values` are those of `one-of`. */
export function accepts(kind: AssumptionKind, values: readonly string[]): string {
  return kind === 'one-of' ? `one of: ${values.join(', ')}` : kinds[kind].accepts;
}

/** Whether a text is a value of this kind. `values` are those of `one-of`. */
export function isValidAssumption(kind: AssumptionKind, values: readonly string[], value: string): boolean {
  return kind === 'one-of' ? values.includes(value) : kinds[kind].isValid(value);
}

function reads(parse: (text: string) => unknown): (value: string) => boolean {
  return (value) => {
    try {
      parse(value);
      return true;
    } catch {
      return false;
    }
  };
}
