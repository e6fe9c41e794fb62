import { ContractError, loadContract } from '../../spec/contract.ts';
import type { Contract } from '../../spec/contract.ts';
import { KitError } from '../errors.ts';

/** Loaded once: it takes a tenth of a second, and what is generated from it is kept with it. */
let loaded: Contract | undefined;

/**
 * The contract that ships with the kit.
 *
 * @throws KitError where it does not load
 */
export function shippedContract(): Contract {
  try {
    return (loaded ??= loadContract());
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    const next = 'install the package again; where that does not help, report it';
    throw new KitError(
      'SW_CONTRACT_BROKEN',
      { received: `the contract does not load: ${cause.message}`, next },
      { cause },
    );
  }
}
