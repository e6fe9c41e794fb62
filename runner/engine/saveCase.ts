import type { Contract } from '../../spec/contract.ts';
import { join } from 'node:path';

import type { GeneratedCase } from './cases.ts';
import { shownPath } from '../output/writtenFile.ts';
import { writtenBeside } from '../output/reportedBody.ts';
import type { GivenOptions, Intensity } from './plan.ts';
import type { SavedCase, SavedRequests, SavedStep, Subject } from './savedCase.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

/** Characters of a text that people are shown. */
const shownCharacters = 4000;

/** The run in which a case failed. */
export interface SavingRun {
  readonly subject: Subject;
  readonly plan: {
    readonly kit: SavedCase['kit'];
    readonly contract: Pick<Contract, 'name' | 'digest'>;
    readonly directory: string;
    readonly intensity: Intensity;
    readonly given?: GivenOptions;
  };
  /** What the cases were drawn from. */
  readonly events: Iterable<string>;
  /** What no file holds. */
  readonly secrets: Secrets;
}

/** What is kept of a sequence that a search found, instead of a value. */
export interface SavedSequence {
  readonly cause: string;
  readonly steps: readonly SavedStep[];
  /** Sequences that have to be played at the same time; none where it fails alone. */
  readonly beside: readonly (readonly SavedStep[])[];
  readonly rate: { readonly failed: number; readonly tries: number };
  /** Distinguishes the failures of one check, from 1. */
  readonly number: number;
}

/** A failed case, in the words of a report. */
interface FailedCase {
  readonly check: { readonly id: string; readonly title: string };
  readonly generated: GeneratedCase;
  readonly counterexample: Counterexample;
  readonly sequence?: SavedSequence | undefined;
  readonly sent?: SavedRequests | undefined;
}

/**
 * Keeps a failed case in a file of the run's directory, where the run knows the options that it was given.
 *
 * @returns the file's path, relative to the working directory where it is below it
 */
export function saveCase(
  run: SavingRun,
  { check, generated, counterexample, sequence, sent }: FailedCase,
): string | undefined {
  const { subject, plan, events } = run;
  if (plan.given === undefined) return undefined;
  const { requirements, summary, expected, actual, timeline, seed, path } = counterexample;
  const saved: SavedCase = {
    seaworthy: 'case',
    format: 1,
    subject,
    kit: plan.kit,
    contract: { name: plan.contract.name, digest: plan.contract.digest },
    check: check.id,
    title: check.title,
    requirements,
    summary,
    expected,
    actual,
    ...(timeline && { timeline }),
    ...(sequence && { ...sequenceMembers(sequence, counterexample), ...(sent && { sent }) }),
    value: sequence ? null : (JSON.parse(JSON.stringify(generated.value, shown) ?? 'null') as unknown),
    seed,
    path,
    intensity: plan.intensity,
    events: [...events],
    ...plan.given,
  };
  const name = `${check.id.replaceAll('/', '-')}${sequence ? `-${sequence.number}` : ''}`;
  const file = join(plan.directory, `${name}.json`);
  const isWritten = writtenBeside(file, `${JSON.stringify(withoutSecrets(saved, run.secrets), null, 2)}\n`);
  return isWritten ? shownPath(file) : undefined;
}

/** In what the user gave, a secret is found also where it is short. */
function withoutSecrets(saved: SavedCase, secrets: Secrets): SavedCase {
  return { ...secrets.hideIn(saved), url: secrets.hide(saved.url), options: secrets.hideTyped(saved.options) };
}

function sequenceMembers({ cause, steps, beside, rate }: SavedSequence, { exchange }: Counterexample) {
  return { cause, sequence: steps, ...(beside.length > 0 && { beside }), rate, exchange };
}

/** What JSON cannot hold, and what nobody would read to its end, in words. */
function shown(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function') return `(a function${value.name === '' ? '' : `: ${value.name}`})`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (isBytes(value)) return shown('', Buffer.from(value.data).toString());
  if (typeof value !== 'string' || value.length <= shownCharacters) return value;
  return `${value.slice(0, shownCharacters)}… (${value.length} characters)`;
}

/** Whether it is what JSON makes of a buffer. */
function isBytes(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}
