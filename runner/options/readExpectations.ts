import addFormats from 'ajv-formats';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { parseYaml } from '../../spec/parseYaml.ts';
import { UsageError } from '../errors.ts';
import type { Expectation } from '../../reports/model/events.ts';
import { readTextFile } from '../../spec/readTextFile.ts';

const text = { type: 'string', pattern: '\\S' } as const;

/** JSON Schema of the file that `--expect-failures` names. */
const schema = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'reason'],
    properties: { id: text, reason: text, expires: { type: 'string', format: 'date' }, link: text },
  },
} as const;

/**
 * The entries of an `--expect-failures` file, JSON or YAML.
 *
 * @throws UsageError where it cannot be read, naming the entry that is not as it should be
 */
export function readExpectations(path: string): readonly Expectation[] {
  return checkedExpectations(parsed(path, contentOf(path)), path);
}

/** Compiled once, when the first list is read. */
let isList: ValidateFunction<readonly Expectation[]> | undefined;

/**
 * The same of a list that is there already.
 *
 * @param path - what it is called where something is wrong with it
 */
export function checkedExpectations(value: unknown, path: string): readonly Expectation[] {
  isList ??= addFormats.default(new Ajv2020({ verbose: true })).compile<readonly Expectation[]>(schema);
  if (!isList(value)) throw misshapen(path, isList.errors?.at(0));
  const twice = value.find(({ id }, index) => value.findIndex((entry) => entry.id === id) < index);
  if (twice !== undefined) throw invalid(path, `names ${twice.id} twice`, 'put the two entries together');
  return value;
}

function contentOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (cause) {
    throw new UsageError(
      'SW_FILE_UNREADABLE',
      {
        received: `--expect-failures ${path} cannot be read: ${(cause as Error).message}`,
        valid: 'the path of a JSON or YAML file that lists what is known to fail',
        next: 'correct the path',
      },
      { cause },
    );
  }
}

/** Every JSON text is YAML, too. A file of which nothing but comments is left lists nothing. */
function parsed(path: string, content: string): unknown {
  try {
    return parseYaml(content) ?? [];
  } catch (cause) {
    const [line = ''] = (cause as Error).message.split(/:?\n/);
    throw invalid(path, `is neither JSON nor YAML: ${line}`, 'correct it', cause);
  }
}

function misshapen(path: string, error: ErrorObject | undefined): UsageError {
  const [, entry, member] = error?.instancePath.split('/') ?? [];
  if (error === undefined || entry === undefined)
    return invalid(path, 'holds no list', 'begin each entry with "- id: ..."');
  const { missingProperty, additionalProperty } = error.params as Readonly<Record<string, string | undefined>>;
  const where = `entry ${Number(entry) + 1}`;
  if (missingProperty !== undefined) return invalid(path, `${where} has no ${missingProperty}`, 'add it');
  if (additionalProperty !== undefined)
    return invalid(path, `${where} has an unknown member "${additionalProperty}"`, 'correct its name, or remove it');
  const what = member === undefined ? where : `the ${member} of ${where}`;
  return invalid(path, `${what} cannot be ${JSON.stringify(error.data)}`, `correct ${what}`);
}

function invalid(path: string, what: string, next: string, cause?: unknown): UsageError {
  return new UsageError(
    'SW_EXPECTATIONS_INVALID',
    {
      received: `--expect-failures ${path} ${what}`,
      valid:
        'a list of entries, each with an id (a requirement or a check) and a reason; expires (2027-01-31, the last day that it counts) and link as you like',
      next,
    },
    cause === undefined ? undefined : { cause },
  );
}
