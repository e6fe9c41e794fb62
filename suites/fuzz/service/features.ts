import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import type { Call } from '../../exchange.ts';
import { outcomeOf } from './outcome.ts';
import type { ServiceStep } from './steps.ts';
import type { World } from './world.ts';

/** Short texts about what came back, without anything that is different each time. */
export function featuresOf(world: World, played: readonly ServiceStep[]): readonly string[] {
  const calls = world.kit.exchanges.flatMap((each) => (each.kind === 'call' ? [featureOf(world, each)] : []));
  const pairs = played.slice(1).map(({ do: kind }, index) => `${played[index]!.do} > ${kind}`);
  return [...new Set([...calls, ...pairs, ...attempts(world), ...listings(world)])];
}

function featureOf({ kit }: World, call: Call): string {
  const { request, answer } = call;
  if (answer.kind !== 'answered') return `${request.operationId} ${answer.kind}`;
  const json = kit.json(call);
  return `${request.operationId} ${answer.status} ${json === undefined ? kit.mediaType(call) : shapeOf(json, 2)}`;
}

/** The members of a value, to that depth; a list is shown by its first item. */
function shapeOf(value: Json, depth: number): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${depth > 0 ? shapeOf(value[0]!, depth - 1) : ''}]`;
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  const names = Object.keys(value).toSorted();
  return depth === 0 ? '{}' : `{${names.map((name) => `${name}:${shapeOf(value[name]!, depth - 1)}`).join()}}`;
}

/** Which attempt came after which outcomes, and how its webhook had been changed meanwhile. */
function attempts({ letters, kit }: World): readonly string[] {
  return letters.flatMap((letter) =>
    letter.attempts.map((caught, index) => {
      const before = letter.attempts.slice(Math.max(0, index - 2), index);
      const outcomes = before.map((each) =>
        each.step.do === 'respond' ? outcomeOf(each, kit.contract) : each.step.do,
      );
      const changes = letter.owner.states.filter(
        ({ from }) => from > letter.attempts[0]!.at && from < caught.at,
      ).length;
      return `attempt ${Math.min(index + 1, 5)} after ${outcomes.join() || 'nothing'}, ${Math.min(changes, 2)} updates`;
    }),
  );
}

function listings({ readings, letters, kit }: World): readonly string[] {
  return readings.flatMap(({ at, statuses }) =>
    letters.map(({ id, attempts: all }) => {
      const before = all.findLast((caught) => caught.at < at);
      return `${String(statuses.get(id))} after ${before ? outcomeOf(before, kit.contract) : 'nothing'}`;
    }),
  );
}
