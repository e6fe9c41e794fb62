import type { ServiceFaults } from '../serviceFault.ts';
import { subtleListFaults } from './subtle/lists.ts';
import { subtleRetryFaults } from './subtle/retries.ts';
import { subtleUrlFaults } from './subtle/sharedUrl.ts';
import { subtleUpdateFaults } from './subtle/updates.ts';

/** What takes several calls and answers in a certain order to be seen, or an unusual one: a search finds it. */
export const subtleServiceFaults: ServiceFaults = Object.fromEntries(
  Object.entries({
    ...subtleUpdateFaults,
    ...subtleUrlFaults,
    ...subtleRetryFaults,
    ...subtleListFaults,
  }).map(([name, fault]) => [name, { ...fault, subtle: true }]),
);
