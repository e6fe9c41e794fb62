import { describeAnswer } from '../../suites/answer.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import type { Call } from '../../suites/exchange.ts';
import type { Registration, Webhook, CatchingEndpoint } from '../../suites/serviceKit.ts';
import { isSuccess, jsonOf, mediaTypeOf } from './answers.ts';
import { Caller, mayRefuseMediaType, plainCall } from './caller.ts';
import type { ServiceContext } from './serviceContext.ts';
import { Registrar } from './registrar.ts';
import { scenarioEventsOf } from './runState.ts';
import { control, type Owner } from '../engine/cases.ts';
import { UsageError } from '../errors.ts';

/** What the positive control found. */
export interface ServiceControl {
  /** The first creation. */
  readonly creation: Call;
  /** Nothing where no webhook comes of any creation that is tried. */
  readonly events?: EventsFound;
  /** Where the first creation was not answered as it should be: what the run goes on with. */
  readonly instead?: string;
}

/** Whether events can be made to happen, or why not. */
export type EventsFound = { readonly possible: true } | { readonly possible: false; readonly reason: string };

/**
 * The positive control: a plain webhook is created, which takes every event at once and so is the monitor of all that
 * happens. Then one event is made to happen, where the user gave a way that can be used again and again. Where the
 * creation itself breaks the contract, the run goes on with what it shows, or with what the service takes instead.
 */
export async function serviceControl(context: ServiceContext): Promise<ServiceControl> {
  const first = await created(context);
  const { creation } = first;
  if (first.monitor !== undefined)
    return {
      ...(await monitoredBy(context, first.monitor)),
      creation,
      ...(!showsWebhook(context, creation) && { instead: fromList }),
    };
  if (isSuccess(creation) && mediaTypeOf(creation) !== 'text/html')
    return { creation, events: { possible: false, reason: unseen(creation) }, instead: withoutWebhook };
  for (const [refused, taken] of mayRefuseMediaType(creation) ? otherMediaTypes(context) : []) {
    context.mediaTypes.set(creation.request.operationId, taken);
    const { monitor } = await created(context);
    const instead = `it is created as ${taken}, so the other checks send that where ${refused} is refused`;
    if (monitor !== undefined) return { ...(await monitoredBy(context, monitor)), creation, instead };
    context.mediaTypes.delete(creation.request.operationId);
  }
  return (await monitoredPartly(context, creation)) ?? { creation };
}

/** Statuses by which a service says that the content of a call is wrong. */
const refusesContent: readonly number[] = [400, 409, 422];

/** A service may refuse some event of the catalogue, and take a webhook for the others. */
async function monitoredPartly(context: ServiceContext, creation: Call): Promise<ServiceControl | undefined> {
  const { answer } = creation;
  if (answer.kind !== 'answered' || !refusesContent.includes(answer.status)) return undefined;
  const names = eventNames(context);
  const probed = await takenOf(names.slice(0, fewEvents), (some) => isTaken(context, some));
  if (probed.length === 0) return undefined;
  const taken = [...probed, ...(await takenOf(names.slice(fewEvents), (some) => isTaken(context, some)))];
  const together = await takenTogether(registrarOf(context), taken);
  if (together === undefined) return undefined;
  const { monitor, events } = together;
  const possible = context.triggeredEvents.events.filter((name) => events.includes(name));
  context.scenarioEvents = scenarioEventsOf(context.plan, possible);
  context.otherScenarioEvents = scenarioEventsOf(context.plan, possible, 4);
  const refused = names.filter((name) => !taken.includes(name));
  const instead =
    events.length < taken.length
      ? `it takes no webhook for ${taken.length} events at once, so the other checks go with ${events.length}`
      : `it takes no webhook for ${refused.join(', ')}, so the other checks go without`;
  return { ...(await monitoredBy(context, monitor)), creation, instead };
}

/** So many events are tried before a service is given up that refuses all of them. */
const fewEvents = 4;

/** Those of the names that are not refused, by halves: one that is refused costs few calls. */
async function takenOf(
  names: readonly string[],
  isTakenTogether: (names: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  if (names.length === 0 || (await isTakenTogether(names))) return names;
  if (names.length === 1) return [];
  const middle = Math.ceil(names.length / 2);
  const first = await takenOf(names.slice(0, middle), isTakenTogether);
  return [...first, ...(await takenOf(names.slice(middle), isTakenTogether))];
}

/** A webhook for as many of the events as are taken at once: a service may take each of them, and not all. */
async function takenTogether(registrar: Registrar, names: readonly string[]) {
  for (let events = names; events.length > 0; events = events.slice(0, Math.floor(events.length / 2))) {
    const monitor = await registered(registrar, {}, events);
    if (monitor !== undefined) return { monitor, events };
  }
  return undefined;
}

/** It is removed at once: a service may have room for few. */
async function isTaken(context: ServiceContext, events: readonly string[]): Promise<boolean> {
  const registrar = registrarOf(context);
  const webhook = await registered(registrar, { active: false }, events);
  await registrar.clean();
  return webhook !== undefined;
}

function registrarOf(context: ServiceContext): Registrar {
  return new Registrar(context, new Caller(() => context, control), control);
}

const fromList = 'the answer shows no webhook, so each webhook is looked up in the list';
const withoutWebhook = 'the answer shows no webhook, so only what can do without one is tested';

function unseen({ answer }: Call): string {
  return `needs a webhook: its creation was answered with ${describeAnswer(answer)}, and the answer shows none`;
}

/** Sends a creation. No monitor where no webhook is seen to come of it. */
async function created(context: ServiceContext): Promise<{ readonly creation: Call; readonly monitor?: Webhook }> {
  let creation: Call | undefined;
  const caller = new Caller(() => context, control, { record: (call) => (creation ??= call) });
  const monitor = await monitorOf(context, new Registrar(context, caller, control));
  if (creation === undefined) throw new TypeError('the control made no call');
  if (monitor !== undefined)
    context.hangWatch.begin(async () => (await caller.ask(plainCall(context.plan))).kind === 'answered');
  return { creation, ...(monitor && { monitor }) };
}

async function monitoredBy(context: ServiceContext, monitor: Webhook): Promise<{ readonly events: EventsFound }> {
  const refusedTwins = new RefusedTwins(context, control);
  context.triggeredEvents.begin(
    context,
    monitor.endpoint,
    [...context.scenarioEvents, ...context.otherScenarioEvents],
    (event) => refusedTwins.registerRefusedTwin(event),
  );
  return { events: await eventsOf(context) };
}

function showsWebhook({ plan }: ServiceContext, creation: Call): boolean {
  const answer = jsonOf(creation);
  return answer !== undefined && valueAt(answer, plan.terms.webhook.answer) !== undefined;
}

/** The declared media type of a creation that is sent, with each of the others. */
function otherMediaTypes({ plan }: ServiceContext): readonly (readonly [refused: string, taken: string])[] {
  const [usual = '', ...others] = Object.keys(plan.contract.operation('create').request);
  return others.filter((type) => /[/+]json$/.test(type)).map((other) => [usual, other]);
}

function monitorOf(context: ServiceContext, registrar: Registrar): Promise<Webhook | undefined> {
  return registered(registrar, {}, eventNames(context));
}

function eventNames({ plan }: ServiceContext): readonly string[] {
  return plan.contract.events.map(({ name }) => name);
}

async function registered(registrar: Registrar, how: Registration, events: readonly string[]) {
  try {
    return await registrar.register(how, events);
  } catch (error) {
    if (!(error instanceof Unproven || error instanceof Unobservable)) throw error;
    return undefined;
  }
}

/** Numbers may be good for one time only, so they are not tried for nothing. */
async function eventsOf(context: ServiceContext): Promise<EventsFound> {
  const { triggeredEvents, plan, scenarioEvents, otherScenarioEvents } = context;
  if (triggeredEvents.events.length === 0) return { possible: false, reason: noWay(plan) };
  if (plan.emit === undefined) return { possible: true };
  const until = context.elapsed() + mostForEmit;
  let trouble = '';
  // One that raises events may not know some of the contract.
  for (const event of new Set([scenarioEvents[3], ...scenarioEvents, ...otherScenarioEvents])) {
    try {
      await triggeredEvents.make(event);
      return { possible: true };
    } catch (error) {
      if (!(error instanceof Unproven)) throw error;
      trouble ||= error.message;
    }
    if (context.elapsed() > until) break;
  }
  // A service that died of the call takes an --emit of its own with it.
  const { kind } = await new Caller(() => context, control).ask(plainCall(plan));
  if (kind !== 'answered') return { possible: false, reason: trouble };
  throw unusable(context, trouble);
}

/** Milliseconds after which no further event is tried where none could be raised. */
const mostForEmit = 10_000;

/** Nothing happens at all: then no run shows what it should. */
function unusable({ secrets }: ServiceContext, trouble: string): UsageError {
  return new UsageError('SW_EMIT_UNUSABLE', {
    received: secrets.hideTyped(trouble),
    valid:
      'a URL that answers 2xx to POST {"event": "<name>"}, or a command that takes the name as EVENT and ends with 0',
    next: 'call it by hand with one event; without --emit you test what needs none',
  });
}

function noWay({ terms }: ServiceContext['plan']): string {
  const tracked = terms.tracking && `, or a number that it finds with --trackable <${terms.tracking.written}>`;
  return `needs an event in the service: give --emit${tracked ?? ' with a URL or a command'}`;
}

interface RefusedTwin {
  readonly registrar: Registrar;
  readonly endpoint: CatchingEndpoint;
}

/**
 * Webhooks that refuse what happens first go along with it: they show when retries come. Each is good for one triggered
 * event, for a service may deactivate what keeps failing, and one with little room would send to nobody else; it is
 * removed once it has seen all retries.
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
      const [accepted] = this.#context.plan.contract.delivery.acceptedStatuses;
      const others = [{ do: 'respond', status: accepted! }] as const;
      const { endpoint } = await registrar.register({ script: [{ do: 'respond', status: 500 }], others }, [event]);
      this.#refusedTwins = [...this.#refusedTwins, { registrar, endpoint }];
    } catch (error) {
      if (!(error instanceof Unproven)) throw error;
    }
  }

  #isDone({ endpoint }: RefusedTwin): boolean {
    const { deliveryLog, plan } = this.#context;
    return deliveryLog.at(endpoint).some(({ attempts }) => attempts.length > plan.contract.delivery.retries);
  }
}
