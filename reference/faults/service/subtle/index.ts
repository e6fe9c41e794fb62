import type { ServiceFaults } from '../fault.ts';
import { subtleListFaults } from './lists.ts';
import { subtleRetryFaults } from './retries.ts';
import { subtleUrlFaults } from './sharedUrl.ts';
import { subtleUpdateFaults } from './updates.ts';

/** What takes several calls and answers in a certain order to be seen, or an unusual one: a search finds it. */
export const subtleServiceFaults: ServiceFaults = Object.fromEntries(
  Object.entries({
    ...subtleUpdateFaults,
    ...subtleUrlFaults,
    ...subtleRetryFaults,
    ...subtleListFaults,
  }).map(([name, fault]) => [name, { ...fault, subtle: true }]),
);
