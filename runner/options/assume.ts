import { AssumptionError, resolveAssumptions, type Assumption } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { parseYaml } from '../../spec/parseYaml.ts';
import { readTextFile } from '../../spec/readTextFile.ts';
import { UsageError } from '../errors.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * The assumptions of a run: what the user gave, else what was learned, else the default.
 *
 * @param given - key to text; a key that begins with `@` names a file that `--learn` wrote
 * @throws UsageError for an unknown key, a bad value, a file that cannot be read
 */
export function assume(contract: Contract, given: Texts): readonly Assumption[] {
  const names = Object.keys(given);
  const learned = names.filter(isFile).map((name) => readLearned(name.slice(1)));
  const own = Object.fromEntries(names.filter((name) => !isFile(name)).map((name) => [name, given[name] ?? '']));
  const found: Texts = Object.assign({}, ...learned);
  const options = resolve(contract, own, 'option');
  const others = resolve(contract, found, 'learned');
  return options.map((option, place) => (option.source === 'default' ? others[place]! : option));
}

function isFile(name: string): boolean {
  return name.startsWith('@');
}

function readLearned(path: string): Texts {
  try {
    const value = parseYaml(readTextFile(path)) as { readonly assume?: unknown } | null;
    const texts = value?.assume;
    if (typeof texts !== 'object' || texts === null) throw new TypeError('it has no mapping "assume"');
    return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, String(text)]));
  } catch (cause) {
    throw new UsageError(
      'SW_FILE_UNREADABLE',
      {
        received: `--assume @${path} cannot be read: ${(cause as Error).message}`,
        valid: 'the path of a file that seaworthy service --learn <file> wrote',
        next: 'correct the path, or write <key>=<value>',
      },
      { cause },
    );
  }
}

function resolve(contract: Contract, overrides: Texts, source: 'option' | 'learned'): readonly Assumption[] {
  const keys = contract.assumptions.map(({ key }) => key);
  const unknown = Object.keys(overrides).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw noAssumption(`there is no assumption "${unknown}"`, didYouMean(nearest(unknown, keys)));
  try {
    return resolveAssumptions(contract.assumptions, overrides, source);
  } catch (cause) {
    if (!(cause instanceof AssumptionError)) throw cause;
    throw noAssumption(cause.message, undefined, { cause });
  }
}

function noAssumption(received: string, suggestion: string | undefined, options?: ErrorOptions): UsageError {
  const all = 'seaworthy requirements --assumptions lists the keys, their defaults and what they accept';
  const next = suggestion === undefined ? all : `${suggestion} ${all}`;
  return new UsageError('SW_ASSUMPTION_INVALID', { received, next }, options);
}
