import type { ContractPart } from '../../../spec/contractParts.ts';
import type { CreationFlaw } from '../../../generators/calls/creationNeighbour.ts';
import type { Json } from '../../../generators/json/json.ts';
import type { CatchStep } from '../../exchange.ts';

/** The name under which a sequence speaks of a webhook. */
export type Slot = 'a' | 'b' | 'c' | 'd';

/** What an endpoint does with so many attempts of a notification, one after the other. */
export interface Series {
  readonly times: number;
  readonly by: CatchStep;
}

/** How an endpoint answers the attempts of each notification. */
export interface Answering {
  /** What it does first: nothing of it is an acceptance without a doubt. */
  readonly refusals: readonly Series[];
  /** The accepting status that it answers with from then on. */
  readonly status: number;
}

/** A custom header of a webhook. */
export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

/** Registers a webhook under a free name. */
export interface CreateStep extends Answering {
  readonly do: 'create';
  readonly slot: Slot;
  /** `null` leaves the member out. */
  readonly events: readonly string[] | null;
  readonly active: boolean;
  readonly headers: readonly CustomHeader[];
  /** The webhook whose url it shares, where there is such a webhook; its own answers then do not matter. */
  readonly at: Slot | null;
}

/** Sends a creation that is wrong in one thing. */
export interface InvalidStep {
  readonly do: 'invalid';
  readonly flaw: CreationFlaw;
  readonly invalid: Json;
  readonly change: string;
}

/** Changes a webhook: each member that is there. */
export interface UpdateStep {
  readonly do: 'update';
  readonly slot: Slot;
  readonly active?: boolean;
  readonly events?: readonly string[];
  readonly headers?: readonly CustomHeader[];
  /** Another endpoint, which answers so. */
  readonly url?: Answering;
}

/** Makes these events happen, all at the same moment. */
export interface EmitStep {
  readonly do: 'emit';
  readonly events: readonly string[];
}

/** Asks for a sample. */
export interface TriggerStep {
  readonly do: 'trigger';
  readonly event: string;
  readonly secret: string | null;
  /** The webhook whose url it is sent to; `null`: an endpoint of its own. */
  readonly at: Slot | null;
}

/** Waits until the newest notification of a webhook has had so many attempts. */
export interface AwaitStep {
  readonly do: 'await';
  readonly slot: Slot;
  readonly attempt: number;
}

/** Reads a list. */
export interface ListStep {
  readonly do: 'list';
  readonly what: 'webhooks' | 'notifications';
}

/** Reads the newest pages of the list of notifications while nothing happens. */
export interface PageStep {
  readonly do: 'page';
  readonly size: number;
}

/** Submits a number to be tracked: one that is found, or one that is not. */
export interface TrackStep {
  readonly do: 'track';
  readonly known: boolean;
}

/** Deletes a webhook, where that is offered. */
export interface RemoveStep {
  readonly do: 'remove';
  readonly slot: Slot;
}

/** Lets time pass. */
export interface PassStep {
  readonly do: 'pass';
  readonly ms: number;
}

/** Ends the service or freezes it, and brings it back after so many milliseconds. */
export interface EndStep {
  readonly do: 'kill' | 'stop' | 'pause';
  readonly ms: number;
}

/** A step of a sequence of calls to a service, of what happens there, and of answers to its deliveries. */
export type ServiceStep =
  | CreateStep
  | InvalidStep
  | UpdateStep
  | EmitStep
  | TriggerStep
  | AwaitStep
  | ListStep
  | PageStep
  | TrackStep
  | RemoveStep
  | PassStep
  | EndStep;

/** What a contract must have for steps of a kind. Default: nothing. */
const needed: Readonly<Partial<Record<ServiceStep['do'], readonly ContractPart[]>>> = {
  update: ['operation:update'],
  trigger: ['operation:sample'],
  page: ['operation:notifications'],
  track: ['tracking'],
  remove: ['operation:delete'],
};

/** What a contract must have for a list to be read. */
const lists: Readonly<Record<ListStep['what'], ContractPart>> = {
  notifications: 'operation:notifications',
  webhooks: 'operation:list',
};

/** Whether a step means anything under a contract that has these parts. */
export function isPossible(parts: ReadonlySet<ContractPart>, step: ServiceStep): boolean {
  return step.do === 'list' ? parts.has(lists[step.what]) : isOffered(parts, step.do);
}

/** The same of all steps of a kind. */
export function isOffered(parts: ReadonlySet<ContractPart>, kind: ServiceStep['do']): boolean {
  return (needed[kind] ?? []).every((part) => parts.has(part));
}
