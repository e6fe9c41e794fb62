import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { toPointer, valueAt } from '../../generators/json/jsonPointer.ts';
import { Unobservable } from '../../suites/check.ts';
import type { Call } from '../../suites/exchange.ts';
import { isSuccess, jsonOf } from './answers.ts';
import type { ServiceContext } from './context.ts';
import { assumed } from './run.ts';

/**
 * The items of one page of a list. Where they stand in it is learned.
 *
 * @throws Unobservable where the answer is no list that can be read, or no success
 */
export function itemsOf(context: ServiceContext, call: Call, operationId: string): readonly Json[] {
  const { answer, request } = call;
  if (!isSuccess(call)) {
    const what = answer.kind === 'answered' ? `answered ${answer.status}` : 'gave no answer';
    throw new Unobservable(`the service ${what} to ${operationId} (${request.method} ${request.path})`);
  }
  const value = jsonOf(call);
  const usual = assumed(context, 'list.items');
  const pointer = value === undefined ? undefined : itemsPointer(value, usual);
  if (value === undefined || pointer === undefined) {
    throw new Unobservable(
      `the answer to ${operationId} holds no list at ${usual}; --assume list.items=<pointer> says where it is`,
    );
  }
  context.learn('list.items', pointer, `in ${operationId}`);
  return valueAt(value, pointer) as readonly Json[];
}

/** The assumed place where that is a list, else the whole answer, else its one member that is a list. */
function itemsPointer(value: Json, usual: string): string | undefined {
  if (Array.isArray(valueAt(value, usual))) return usual;
  if (Array.isArray(value)) return '';
  if (!isJsonObject(value)) return undefined;
  const lists = Object.keys(value).filter((name) => Array.isArray(value[name]));
  return lists.length === 1 ? toPointer(lists) : undefined;
}
