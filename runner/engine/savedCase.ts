import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

import type { Moment } from '../../reports/model/events.ts';
import type { FuzzStep } from '../../suites/fuzz/fuzzing.ts';
import { UsageError } from '../errors.ts';
import { intensities, type Intensity } from './plan.ts';
import type { Counterexample, ReportedAttempt, ReportedRequest } from '../../reports/model/exchange.ts';
import { parseJson } from '../../spec/parseJson.ts';
import { readTextFile } from '../../spec/readTextFile.ts';
import { shownValue, validOf } from '../../spec/schemaErrors.ts';

/** What a saved case is about. */
export type Subject = 'receiver' | 'service';

/** A step of a sequence: what is done, and where it came from. */
export interface SavedStep {
  /** For people. */
  readonly words: string;
  /** What is played again, as it stands. */
  readonly step: FuzzStep;
  /** What it was drawn from, and the steps of its shrinking (`0:2`; empty where there were none); 0 where it was put in place of another. */
  readonly seed: number;
  readonly path: string;
}

/** What was sent to a receiver until a failure was seen. */
export interface SavedRequests {
  /** A plain delivery that has to be accepted before anything else is sent: else nothing is shown. */
  readonly control: ReportedRequest;
  /** In order; where an answer is the failure, the last one has it. */
  readonly attempts: readonly SavedAttempt[];
}

/** One of them. */
export interface SavedAttempt extends ReportedAttempt {
  /** Milliseconds that were waited before it. Default: none. */
  readonly waited?: number;
  /** Those that have the same number were sent at the same moment. */
  readonly moment?: number;
}

/** A case that failed, as it is kept in a file: for people to read, and for the kit to try again. Holds no secret. */
export interface SavedCase {
  readonly seaworthy: 'case';
  readonly format: 1;
  readonly subject: Subject;
  readonly kit: { readonly name: string; readonly version: string };
  /** The contract of the run; cases of earlier versions name none. */
  readonly contract?: { readonly name: string; readonly digest: string };
  readonly check: string;
  readonly title: string;
  /** The requirements that it broke. */
  readonly requirements: readonly string[];
  readonly summary: string;
  readonly expected: string;
  readonly actual: string;
  /** What was done and seen, where the case had process control of the target. */
  readonly timeline?: readonly Moment[];
  /** The sort of mistake, and the steps that are played again: where a search found it (`seaworthy fuzz`). */
  readonly cause?: string;
  readonly sequence?: readonly SavedStep[];
  /** Sequences that are played at the same time: where it did not fail alone. */
  readonly beside?: readonly (readonly SavedStep[])[];
  /** How often the sequence failed among so many tries after it was found. */
  readonly rate?: { readonly failed: number; readonly tries: number };
  /** What went over the wire, for people. */
  readonly exchange?: Counterexample['exchange'];
  /** All that a sequence sent to a receiver, so that it can be sent again without the kit. */
  readonly sent?: SavedRequests;
  /** The case itself, for people: it is made again from the seed, the check and the path. Null where there is a sequence. */
  readonly value: unknown;
  readonly seed: number;
  readonly path: string;
  /** What the run was held at: a few cases are larger the more intense it is. */
  readonly intensity: Intensity;
  /** The events that cases were drawn from. */
  readonly events: readonly string[];
  /** Where the target was; the path alone where it was started from an image. */
  readonly url: string;
  /** The options of the run as they stood on the command line, without secrets and the values of environments. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** Names of the environment variables that the target was given. */
  readonly env: readonly string[];
}

const texts = { type: 'array', items: { type: 'string' } } as const;
const text = { type: 'string' } as const;

const steps = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['step'],
    properties: { words: text, step: { type: 'object', required: ['do'], properties: { do: text } } },
  },
} as const;

/** What makes a file a saved case. What is for people only may be anything. */
const schema = {
  type: 'object',
  required:
    'seaworthy format subject kit check title requirements seed path intensity events url options env expected actual'.split(
      ' ',
    ),
  properties: {
    seaworthy: { const: 'case' },
    format: { const: 1 },
    subject: { enum: ['receiver', 'service'] },
    kit: { type: 'object', required: ['name', 'version'], properties: { name: text, version: text } },
    contract: { type: 'object', required: ['name', 'digest'], properties: { name: text, digest: text } },
    check: text,
    title: text,
    requirements: texts,
    seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
    path: { type: 'string', pattern: '^\\d+(:\\d+)*$' },
    intensity: { enum: intensities },
    events: texts,
    url: text,
    options: { type: 'object', additionalProperties: texts },
    env: texts,
    expected: text,
    actual: text,
    cause: text,
    rate: {
      type: 'object',
      required: ['failed', 'tries'],
      properties: { failed: { type: 'integer' }, tries: { type: 'integer' } },
    },
    sequence: steps,
    beside: { type: 'array', items: steps },
  },
} as const;

/** Compiles the schema once, when the first case is read. */
let ajv: Ajv2020 | undefined;

function contentOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (cause) {
    throw noCase(`${path} cannot be read: ${(cause as Error).message}`, cause);
  }
}

/**
 * Reads a case that a run has saved.
 *
 * @param path - relative to the working directory of the process
 * @throws UsageError where the file cannot be read, or holds no saved case
 * @example const { check, seed, path } = await readSavedCase('failure.json');
 */
export async function readSavedCase(path: string): Promise<SavedCase> {
  return caseOf(parsed(path, contentOf(path)), path);
}

/**
 * The same value, known to be a saved case.
 *
 * @param name - what holds it, for the error
 * @throws UsageError
 */
export function caseOf(value: unknown, name: string): SavedCase {
  ajv ??= new Ajv2020({ verbose: true });
  if (ajv.validate(schema, value)) return value as SavedCase;
  throw noCase(`${name} holds no saved case: ${ajv.errors?.map(misfit).join(', ')}`);
}

function misfit(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'it' : error.instancePath;
  if (error.keyword === 'required')
    return `${place} lacks the member ${JSON.stringify(error.params['missingProperty'])}`;
  return `${place} is ${shownValue(error.data)}; valid is ${validOf(error)}`;
}

/** Whether a JSON file means to hold a saved case, rather than anything else; one that cannot be read may hold one. */
export function isSavedCase(path: string): boolean {
  try {
    const value = parseJson(readTextFile(path)) as { readonly seaworthy?: unknown } | null;
    return value?.seaworthy === 'case';
  } catch {
    return true;
  }
}

function parsed(path: string, content: string): unknown {
  try {
    return parseJson(content);
  } catch (cause) {
    throw noCase(`${path} holds no saved case: ${(cause as Error).message}`, cause);
  }
}

function noCase(received: string, cause?: unknown): UsageError {
  return new UsageError(
    'SW_CASE_INVALID',
    {
      received,
      valid:
        'a file that seaworthy receiver, seaworthy service or seaworthy fuzz wrote about a failure: .seaworthy/runs/<run>/<check>.json',
      next: 'give the file that the report names below "To try this very case again"; cases of the newest runs alone are kept (--keep-runs)',
    },
    { cause },
  );
}
