import type { ShippedContract } from '../../spec/shippedContracts.ts';
import type { ContractSuite } from '../check.ts';
import { trackingSuite } from './tracking/index.ts';

/** The contracts that have checks of their own. Those of all others are general: `suites/receiver/`, `suites/service/`. */
export const contractSuites: Readonly<Partial<Record<ShippedContract, ContractSuite>>> = { tracking: trackingSuite };
