import { findings } from '../../../reports/model/findings.ts';
import type { Explanations } from '../../../reports/model/explained.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import type { Contract } from '../../../spec/contract.ts';
import { UsageError } from '../../errors.ts';
import { openContract } from '../../options/openContract.ts';
import { faultsOf } from '../faultsOf.ts';
import { entriesOf } from './run.ts';

/**
 * What `seaworthy explain` says of each requirement that a run found broken.
 *
 * @returns nothing of a contract that is not there, or is another one than that of the run by now
 */
export async function explainBroken(summary: RunSummary): Promise<Explanations> {
  const broken = new Set(findings(summary).flatMap((found) => found.broken.map(({ id }) => id)));
  const contract = broken.size === 0 ? undefined : contractOf(summary);
  if (contract === undefined) return {};
  const entries = entriesOf(contract, await faultsOf(contract));
  return Object.fromEntries([...broken].flatMap((id) => (entries.has(id) ? [[id, entries.get(id)!()]] : [])));
}

function contractOf({ contract: { name, digest } }: RunSummary): Contract | undefined {
  try {
    const contract = openContract({ contract: name });
    return contract.digest === digest ? contract : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
