import { describeAnswer } from '../../suites/answer.ts';
import { Unproven } from '../../suites/check.ts';
import type { Call } from '../../suites/exchange.ts';
import type { Webhook, CatchingEndpoint } from '../../suites/serviceKit.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import { noAnswerEnd } from '../http/noAnswer.ts';
import { Caller } from './caller.ts';
import type { ServiceContext } from './context.ts';
import { Registrar } from './registrar.ts';
import type { Owner } from './run.ts';

/** What the positive control found. */
export type ServiceControl =
  | { readonly accepted: true; readonly creation: Call; readonly events: EventsFound }
  | { readonly accepted: false; readonly creation: Call };

/** Whether events can be made to happen, or why not. */
export type EventsFound = { readonly possible: true } | { readonly possible: false; readonly reason: string };

const owner = { check: 'control', case: 0 } as const;

/**
 * The positive control: a plain webhook is created, which takes every event at once and so is the monitor of all that
 * happens. Then one event is made to happen, where the user gave a way that can be used again and again.
 */
export async function serviceControl(context: ServiceContext): Promise<ServiceControl> {
  let creation: Call | undefined;
  const caller = new Caller(
    () => context,
    owner,
    (call) => (creation ??= call),
  );
  const registrar = new Registrar(context, caller, owner);
  const monitor = await monitorOf(context, registrar);
  if (creation === undefined) throw new TypeError('the control made no call');
  if (monitor === undefined) return { accepted: false, creation };
  const refusedTwins = new RefusedTwins(context, owner);
  context.triggeredEvents.begin(
    context,
    monitor.endpoint,
    [...context.scenarioEvents, ...context.otherScenarioEvents],
    (event) => refusedTwins.registerRefusedTwin(event),
  );
  return { accepted: true, creation, events: await eventsOf(context) };
}

async function monitorOf(context: ServiceContext, registrar: Registrar): Promise<Webhook | undefined> {
  const all = context.plan.contract.events.map(({ name }) => name);
  try {
    return await registrar.register({}, all);
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    return undefined;
  }
}

/** Numbers may be good for one time only, so they are not tried for nothing. */
async function eventsOf({ triggeredEvents, plan, scenarioEvents }: ServiceContext): Promise<EventsFound> {
  if (triggeredEvents.events.length === 0) return { possible: false, reason: noWay };
  if (plan.emit === undefined) return { possible: true };
  try {
    await triggeredEvents.make(scenarioEvents[3]);
    return { possible: true };
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    return { possible: false, reason: error.message };
  }
}

const noWay = 'needs an event in the service: give --emit, or a number that it finds with --trackable <SCAC:NUMBER>';

/** Why the run cannot go on where the control failed. */
export async function controlTrouble({ plan }: ServiceContext, { answer }: Call): Promise<RunEnd> {
  const end = await noAnswerEnd({ subject: 'service', url: plan.base, access: plan }, answer);
  if (end !== undefined) return end;
  const what = describeAnswer(answer);
  const advice =
    plan.token === ''
      ? 'No API key was given: give --token (or SEAWORTHY_TOKEN).'
      : 'Check --token and the base address (with the version, where it has one). If the service refuses the endpoint of the kit, give --catcher with an address that it takes.';
  return { reason: `a plain webhook was not created: the service answered ${what}`, advice };
}

interface RefusedTwin {
  readonly registrar: Registrar;
  readonly endpoint: CatchingEndpoint;
}

/**
 * Webhooks that refuse everything go along with what happens: they show when retries come. Each is good for one
 * triggered event, for a service may deactivate what keeps failing; it is removed once it has seen all retries.
 */
class RefusedTwins {
  readonly #context: ServiceContext;
  readonly #owner: Owner;
  #refusedTwins: readonly RefusedTwin[] = [];

  constructor(context: ServiceContext, owner: Owner) {
    this.#context = context;
    this.#owner = owner;
  }

  /** Registers one for an event that is about to happen. Goes without where the service does not create it. */
  async registerRefusedTwin(event: string): Promise<void> {
    const done = this.#refusedTwins.filter((refusedTwin) => this.#isDone(refusedTwin));
    this.#refusedTwins = this.#refusedTwins.filter((refusedTwin) => !done.includes(refusedTwin));
    await Promise.all(done.map(({ registrar }) => registrar.clean()));
    const registrar = new Registrar(this.#context, new Caller(() => this.#context, this.#owner), this.#owner);
    try {
      const { endpoint } = await registrar.register({ script: [{ do: 'respond', status: 500 }] }, [event]);
      this.#refusedTwins = [...this.#refusedTwins, { registrar, endpoint }];
    } catch (error) {
      if (!(error instanceof Unproven)) throw error;
    }
  }

  #isDone({ endpoint }: RefusedTwin): boolean {
    const { deliveryLog, plan } = this.#context;
    const deliveries = deliveryLog.at(endpoint);
    return (
      deliveries.length > 0 && deliveries.every(({ attempts }) => attempts.length > plan.contract.delivery.retries)
    );
  }
}
