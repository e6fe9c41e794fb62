import { jsonText } from '../../../../reports/text/jsonText.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { UsageError } from '../../../errors.ts';
import { openContract } from '../../../options/openContract.ts';
import { resolveSettings } from '../../../options/settings.ts';
import type { CommandInput } from '../../command.ts';
import { checkOptions } from './options.ts';
import { understood } from './understood.ts';
import { understoodText } from './understoodText.ts';

/** What `seaworthy contract check` does. @returns the exit code */
export async function checkContract({ argument, given, programEnvironment }: CommandInput): Promise<number> {
  const { environment, workingDirectory: directory, stdout, documents } = programEnvironment;
  const settings = resolveSettings(checkOptions, { commandLine: given, environment, config: [], directory });
  const contract = openContract({ contract: argument, openapi: settings.openapi });
  const found = understood(contract, Date.now());
  if (settings.json) documents.write(jsonText(found));
  else stdout.write(visible(understoodText(found, stdout.columns), '\n'));
  requireSome(found.samples, argument ?? contract.name);
  return 0;
}

/** @throws UsageError where no event can be generated: nothing could be tested */
function requireSome({ proven, failed }: ReturnType<typeof understood>['samples'], contract: string): void {
  const [first] = failed;
  if (proven > 0 || first === undefined) return;
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `no event of the contract ${contract} has a body that can be generated; ${first.event}: ${first.why}`,
    valid: 'at least one event with a JSON Schema for which values can be generated',
    next: 'correct the schema that is named',
  });
}
