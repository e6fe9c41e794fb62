import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import type { Call } from '../../exchange.ts';
import { itemOf } from '../../items.ts';
import { describeStep as describeAnswer } from '../../service/steps.ts';
import { outcomeOf, type ServiceModelState } from './serviceModelState.ts';
import type { Answering, CreateStep, Series, ServiceStep, Slot, TriggerStep, UpdateStep } from './steps.ts';

/**
 * A step in a few words: `create webhook a for order.paid; it answers 503 twice, then 200`.
 *
 * @param before - the steps that come before it: nothing is notified of a webhook that none of them makes. Default: not known
 */
export function describe(step: ServiceStep, before?: readonly ServiceStep[]): string {
  const slot = neededBy(step);
  const isThere = slot === null || before === undefined || before.some((each) => isCreationOf(slot, each));
  return isThere ? wordsOf(step, before) : `${wordsOf(step)} (left out: there is no webhook ${slot})`;
}

/** The webhook without which a step does nothing. */
function neededBy(step: ServiceStep): Slot | null {
  if (step.do === 'trigger') return step.at;
  return step.do === 'update' || step.do === 'await' || step.do === 'remove' ? step.slot : null;
}

function isCreationOf(slot: Slot, step: ServiceStep): boolean {
  return step.do === 'create' && step.slot === slot;
}

function wordsOf(step: ServiceStep, before?: readonly ServiceStep[]): string {
  switch (step.do) {
    case 'create':
      return describeCreation(step, before);
    case 'invalid':
      return `send a creation that is wrong in one thing: ${step.change}`;
    case 'update':
      return describeUpdate(step);
    case 'emit':
      return `let ${step.events.join(', ')} happen${step.events.length > 1 ? ' at the same moment' : ''}`;
    case 'trigger':
      return describeSample(step);
    case 'await':
      return `wait for attempt ${step.attempt} at webhook ${step.slot}`;
    case 'list':
      return `list the ${step.what}`;
    case 'page':
      return `page through the newest notifications, ${step.size} a page`;
    case 'track':
      return `ask to track a number that ${step.known ? 'is' : 'is not'} known`;
    case 'remove':
      return `delete webhook ${step.slot}`;
    case 'pass':
      return `let ${step.ms} ms pass`;
    case 'kill':
      return `kill the service and start it after ${step.ms} ms`;
    case 'stop':
      return `stop the service and start it after ${step.ms} ms`;
    case 'pause':
      return `freeze the service for ${step.ms} ms`;
  }
}

function describeCreation(step: CreateStep, before?: readonly ServiceStep[]): string {
  const { slot, events, active, headers } = step;
  const what = `create ${active ? '' : 'inactive '}webhook ${slot}`;
  const list = events === null ? 'without events' : `for ${events.join(', ')}`;
  const sent = headers.length === 0 ? '' : `, with ${headers.map(({ name, value }) => `${name}: ${value}`).join(', ')}`;
  return `${what} ${list}${sent}; ${describePlace(step, before)}`;
}

/** The url of a webhook that is there, or one of its own, and what that answers. */
function describePlace(step: CreateStep, before: readonly ServiceStep[] | undefined): string {
  const { at } = step;
  const own = `it answers ${answers(step)}`;
  if (at === null) return own;
  const shared = `its url is that of ${at}`;
  const last = before?.findLast((each) => isCreationOf(at, each) || (each.do === 'remove' && each.slot === at));
  if (before === undefined || last?.do === 'create') return shared;
  return last === undefined ? own : `${shared}, or one of its own where ${at} is deleted: ${own}`;
}

function describeUpdate({ slot, active, events, headers, url }: UpdateStep): string {
  const changes = [
    ...(active === undefined ? [] : [active ? 'active' : 'inactive']),
    ...(events ? [`for ${events.join(', ')}`] : []),
    ...(headers ? [`with ${headers.map(({ name, value }) => `${name}: ${value}`).join(', ') || 'no headers'}`] : []),
    ...(url ? [`at another url, which answers ${answers(url)}`] : []),
  ];
  return `update webhook ${slot}: ${changes.join('; ')}`;
}

function describeSample({ event, secret, at }: TriggerStep): string {
  const where = at === null ? 'a url of its own' : `the url of webhook ${at}`;
  return `ask for a sample of ${event} to ${where}, ${secret === null ? 'without a' : 'with a'} secret`;
}

function answers({ refusals, status }: Answering): string {
  return [...refusals.map((each) => describeSeries(each)), String(status)].join(', then ');
}

function describeSeries({ times, by }: Series): string {
  const late = by.do === 'respond' && by.delay !== undefined ? ` after ${by.delay} ms` : '';
  return `${by.do === 'respond' ? by.status : `with ${describeAnswer(by)}`}${late}${times === 1 ? '' : ` ${times} times`}`;
}

/** Short texts about what came back, without anything that is different each time. */
export function featuresOf(modelState: ServiceModelState, played: readonly ServiceStep[]): readonly string[] {
  const calls = modelState.kit.exchanges.flatMap((each) => (each.kind === 'call' ? [featureOf(modelState, each)] : []));
  const pairs = played.slice(1).map(({ do: kind }, index) => `${itemOf(played, index).do} > ${kind}`);
  return [...new Set([...calls, ...pairs, ...attempts(modelState), ...listings(modelState)])];
}

function featureOf({ kit }: ServiceModelState, call: Call): string {
  const { request, answer } = call;
  if (answer.kind !== 'answered') return `${request.operationId} ${answer.kind}`;
  const json = kit.json(call);
  return `${request.operationId} ${answer.status} ${json === undefined ? kit.mediaType(call) : shapeOf(json, 2)}`;
}

/** The members of a value, to that depth; a list is shown by its first item. */
function shapeOf(value: Json, depth: number): string {
  if (Array.isArray(value))
    return `[${value
      .slice(0, depth > 0 ? 1 : 0)
      .map((item: Json) => shapeOf(item, depth - 1))
      .join()}]`;
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  if (depth === 0) return '{}';
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${shapeOf(member, depth - 1)}`).join()}}`;
}

/** Which attempt came after which outcomes, and how its webhook had been changed meanwhile. */
function attempts({ deliveries, kit }: ServiceModelState): readonly string[] {
  return deliveries.flatMap((delivery) =>
    delivery.attempts.map((caught, index) => {
      const before = delivery.attempts.slice(Math.max(0, index - 2), index);
      const outcomes = before.map((each) =>
        each.step.do === 'respond' ? outcomeOf(each, kit.contract) : each.step.do,
      );
      const changes = delivery.owner.states.filter(
        ({ from }) => from > delivery.attempts[0].at && from < caught.at,
      ).length;
      return `attempt ${Math.min(index + 1, 5)} after ${outcomes.join() || 'nothing'}, ${Math.min(changes, 2)} updates`;
    }),
  );
}

function listings({ readings, deliveries, kit }: ServiceModelState): readonly string[] {
  return readings.flatMap(({ at, statuses }) =>
    deliveries.map(({ id, attempts: all }) => {
      const before = all.findLast((caught) => caught.at < at);
      return `${String(statuses.get(id))} after ${before ? outcomeOf(before, kit.contract) : 'nothing'}`;
    }),
  );
}
