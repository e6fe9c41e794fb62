import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';
import { parseYaml } from './parseYaml.ts';

/**
 * Reads a YAML text whose root is a mapping.
 *
 * @param name - the file's name, for the message
 * @throws ContractError (`contract/unreadable`) for broken YAML, a repeated key or another kind of root
 */
export function readYaml(name: string, text: string): Readonly<Record<string, unknown>> {
  const value = parseText(name, text);
  if (isRecord(value)) return value;
  throw new ContractError(
    'contract/unreadable',
    `${name} holds ${kindOf(value)} at its root; a mapping is expected. See the ${name} that ships with the kit.`,
  );
}

function parseText(name: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new ContractError(
      'contract/unreadable',
      `${name} is not readable YAML: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.?$/, '.')} Correct that place and load it again.`,
      { cause },
    );
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
