import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import type { Call } from '../../exchange.ts';
import { outcomeOf, type ServiceModelState } from './serviceModelState.ts';
import type { ServiceStep } from './steps.ts';
import { itemOf } from '../../items.ts';

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
