import type { Need } from '../../suites/check.ts';

/** What a check said that it needs. @throws TypeError where it did not say so */
export function needed<T>(given: T | false | undefined, need: Need): T {
  if (given === undefined || given === false)
    throw new TypeError(`the check does not need ${need}: add it to its needs`);
  return given;
}
