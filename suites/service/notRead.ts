import { Unobservable } from '../check.ts';

/** A list that has more than the kit comes to shows nothing by what is missing in it (GAP-8). */
export function notRead(operationId: string): Unobservable {
  return new Unobservable(
    `${operationId} was not read to its end: --assume list.paging=<page>,<size> or list.next=<pointer> says how its pages are asked for`,
  );
}
