import { relative } from 'node:path';

import { openAuthority } from '../catcher/authority.ts';
import type { ServicePlan } from '../service/plan.ts';
import type { ProgramEnvironment } from './programEnvironment.ts';

/** Endpoints that speak https need a service that trusts their authority: says where it is. */
export async function tellAuthority(
  plan: ServicePlan,
  { stderr, workingDirectory }: ProgramEnvironment,
): Promise<void> {
  const { base, catcher, authorityDirectory } = plan;
  if (base.protocol !== 'https:' || catcher !== undefined) return;
  const { path, note } = await openAuthority(authorityDirectory);
  const shown = relative(workingDirectory, path);
  if (note !== undefined) stderr.write(`${note}\n`);
  stderr.write(`The endpoints of the kit speak https. The service has to trust their authority: ${shown}\n`);
}
