import { describeStep as describeAnswer } from '../../service/steps.ts';
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
