import type { AssumptionKind } from './assumptionKinds.ts';
import { isValidAssumption } from './assumptionKinds.ts';
import { ContractError } from './contractError.ts';
import type { AssumptionKey } from './names.ts';

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
