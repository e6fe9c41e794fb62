import { resolve } from 'node:path';

import type { Contract } from '../../spec/contract.ts';
import { UsageError } from '../errors.ts';
import { openAddress } from '../http/openAddress.ts';
import { searchOptions, usualTime } from '../options/fuzzOptions.ts';
import type { ReceiverFuzzSettings, SearchSettings, ServiceFuzzSettings } from '../options/fuzzOptions.ts';
import { requiredIds, selectChecks } from '../options/selection.ts';
import type { ReceiverPlan } from '../receiver/plan.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../receiver/receiverPlan.ts';
import type { ServicePlan } from '../service/plan.ts';
import { servicePlan, type ServicePlanOptions } from '../service/servicePlan.ts';
import { fuzzChecks, fuzzModels, type FuzzModel } from './fuzzTarget.ts';

/** The settings that say how a search goes about it; all of them have a default. */
interface SearchWishes extends Partial<SearchSettings> {
  readonly bail?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly require?: readonly string[];
}

/**
 * How a search goes about it, from its settings.
 *
 * @throws UsageError for patterns that match nothing
 */
function searchOf(model: FuzzModel, contract: Contract, wishes: SearchWishes): Search {
  const { runs, untilFailure = false, bail = false, only = [], skip = [], require: needed = [] } = wishes;
  const { feedback = searchOptions.feedback.default, corpus = searchOptions.corpus.default } = wishes;
  const time = wishes.time ?? (runs === undefined && !untilFailure ? usualTime : undefined);
  const all = fuzzChecks(model, contract);
  const selected = selectChecks(all, { only, skip });
  return {
    budget: {
      ...(time !== undefined && { time }),
      ...(runs !== undefined && { runs }),
      untilFailure: untilFailure || bail,
    },
    feedback,
    corpus: resolve(corpus),
    required: requiredIds(all, needed),
    ...(only.length + skip.length > 0 && { requirements: selected.flatMap(({ requirements }) => requirements) }),
  };
}

/** When a search is over. Whatever comes first ends it; with none of them it goes on until it is interrupted. */
export interface FuzzBudget {
  /** Milliseconds. */
  readonly time?: number;
  /** Sequences that are tried, those of shrinking and confirming aside. */
  readonly runs?: number;
  /** Ends at the first failure that was confirmed. */
  readonly untilFailure: boolean;
}

/** How a search goes about it. */
export interface Search {
  readonly budget: FuzzBudget;
  /** Whether sequences with new answers are kept and changed further. */
  readonly feedback: boolean;
  /** The folder of the corpus, absolute. */
  readonly corpus: string;
  /** The requirements that must be judged. Default: none. */
  readonly required?: readonly string[];
  /** Takes a line for people about what went wrong beside the search. Default: nobody hears of it. */
  readonly warn?: (line: string) => void;
  /** The requirements that are looked for. Default: all that the model can find broken. */
  readonly requirements?: readonly string[];
}

/** A target of sequences. */
export type FuzzSubject =
  | { readonly subject: 'receiver'; readonly plan: ReceiverPlan }
  | { readonly subject: 'service'; readonly plan: ServicePlan };

/** Everything that a fuzz run depends on. The plan's checks are empty: what is looked for, the model says. */
export type FuzzPlan = Search & FuzzSubject;

/** What {@link receiverFuzzPlan} needs beside the settings; all of it has a default. */
export type ReceiverFuzzPlanOptions = Partial<ReceiverFuzzSettings> &
  Pick<ReceiverPlanOptions, 'signal' | 'command' | 'play' | 'given' | 'directory'>;

/**
 * The plan of a search for sequences of deliveries that a receiver gets wrong. Nothing has been sent yet.
 *
 * @param url - the receiver's address, http or https; its path alone where it is started from an image
 * @throws UsageError as `receiverPlan` does
 *
 * @example
 * const plan = await receiverFuzzPlan('http://localhost:3000/hooks', { secret: ['...'], time: 10_000 });
 * for await (const event of runFuzz(plan)) if (event.type === 'fuzz.failed') console.log(event.steps);
 */
export async function receiverFuzzPlan(url: string, options: ReceiverFuzzPlanOptions = {}): Promise<FuzzPlan> {
  const { command = `seaworthy fuzz ${openAddress(url).address}` } = options;
  const whole = { time: undefined, only: [], skip: [], require: [], bail: false, checks: [] };
  const plan = await receiverPlan(url, { ...options, ...whole, command });
  return { subject: 'receiver', plan, ...searchOf(fuzzModels.receiver, plan.contract, options) };
}

/** What {@link serviceFuzzPlan} needs beside the settings; all of it has a default. */
export type ServiceFuzzPlanOptions = Partial<ServiceFuzzSettings> &
  Pick<ServicePlanOptions, 'signal' | 'command' | 'given' | 'directory' | 'authorityDirectory'>;

/**
 * The plan of a search for sequences of calls, events and answers that a service gets wrong. Nothing has been sent yet.
 *
 * @param base - the service's base address, http or https; its path alone where it is started from an image
 * @throws UsageError as `servicePlan` does, and for a contract whose deliveries carry no id
 *
 * @example
 * const plan = await serviceFuzzPlan('http://localhost:4010/v2', { token: '...', emit: 'http://localhost:4010/emit' });
 * for await (const event of runFuzz(plan)) if (event.type === 'fuzz.failed') console.log(event.steps);
 */
export async function serviceFuzzPlan(base: string, options: ServiceFuzzPlanOptions = {}): Promise<FuzzPlan> {
  const { command = `seaworthy fuzz --service ${openAddress(base).address}` } = options;
  const whole = { time: undefined, only: [], skip: [], require: [], bail: false, checks: [], secondOpinion: false };
  const plan = await servicePlan(base, { ...options, ...whole, command });
  requireIds(plan.contract);
  return { subject: 'service', plan, ...searchOf(fuzzModels.service, plan.contract, options) };
}

/** What the model distinguishes deliveries by. What else a service lacks, no step is made of. */
function requireIds({ name, delivery }: Contract): void {
  if (delivery.id !== undefined) return;
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `the contract ${name} cannot be searched: it says of no id that a delivery carries`,
    valid: 'a contract with id, the place of what stays the same when a delivery is repeated',
    next: `add id to the contract, or test the service with seaworthy service --contract ${name}`,
  });
}

/** Milliseconds for one thing each. A death costs a start of the target at each try, and so has more time to be shrunk. */
export const times = {
  shrinking: 30_000,
  shrinkingDeath: 60_000,
  lastShrinking: 20_000,
  lastLook: 3000,
  firstOnes: 1000,
  shortBatch: 4000,
  longBatch: 9000,
  figures: 1000,
  saving: 10_000,
} as const;

/** No batch begins in this last share of the time of a search, so that a failure can still be shrunk. */
export const shrinkingShare = 0.1;

/** Milliseconds that a timer takes at most. */
export const longestTimer = 2 ** 31 - 1;

/** How much longer than with the others the search is busy with sequences that hold the target's process. */
export const aloneShare = 2;

/** Sequences of a batch. */
export const sizes = { most: 512, afterDeath: 16, alone: 3, singly: 64 } as const;
