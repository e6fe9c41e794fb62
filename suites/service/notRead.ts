import { Unobservable } from '../check.ts';
import type { OperationRole } from '../../spec/names.ts';
import type { ServiceKit } from '../serviceKit.ts';

/** A list that has more than the kit comes to shows nothing by what is missing in it (GAP-8). */
export function notRead({ contract }: Pick<ServiceKit, 'contract'>, list: OperationRole): Unobservable {
  const { operationId } = contract.operation(list);
  return new Unobservable(
    `${operationId} was not read to its end: --assume list.paging=<page>,<size> or list.next=<pointer> says how its pages are asked for`,
  );
}
