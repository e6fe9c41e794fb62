import type { Contract } from '../../spec/contract.ts';
import { openContract } from '../options/openContract.ts';
import { requirePackage } from '../options/packages.ts';
import type { PlayApi } from '../receiver/plan.ts';

/** A mistake that the checks are tested with. */
interface Fault {
  readonly summary: string;
  /** Requirements; the first one is its main point. */
  readonly breaks: readonly string[];
}

/** The faults of the reference by name. It is one of the contract that ships as the default; of another one there are none. */
export async function faultsOf({ digest }: Contract): Promise<readonly (readonly [name: string, fault: Fault])[]> {
  if (digest !== openContract().digest) return [];
  const [{ receiverFaults }, { serviceFaults }] = await Promise.all([
    import('../../reference/faults/receiver/index.ts'),
    import('../../reference/faults/service/index.ts'),
  ]);
  return [...Object.entries(receiverFaults), ...Object.entries(serviceFaults)];
}

/** Plays the API, and loads the reference service only then. */
export const playLazily: PlayApi = async (options) => {
  requirePackage('fastify', '--api-listen');
  return (await import('./playApi.ts')).playApi(options);
};
