import { amount } from '../../../../reports/text/amount.ts';
import { jsonText } from '../../../../reports/text/jsonText.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { UsageError } from '../../../errors.ts';
import { openContract } from '../../../options/openContract.ts';
import { resolveSettings } from '../../../options/settings.ts';
import type { CommandInput } from '../../command.ts';
import { checkOptions } from '../options.ts';
import type { FailedSample } from './checkSamples.ts';
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
  requireAll(found.samples, argument ?? contract.name);
  return 0;
}

const advice = {
  schema: {
    valid:
      'a JSON Schema for each event that at least one value meets, together with the envelope and the place of the event',
    next: 'correct the schema that is named, or remove the event with an overlay',
  },
  id: {
    valid: 'an id.form whose ids are valid where the schema of the event has them',
    next: 'correct id.form (integer where the schema has a number), or the schema there',
  },
  createdAt: {
    valid: 'a createdAt.form whose times are valid where the schema of the event has them',
    next: 'correct createdAt.form, or the schema there',
  },
} as const;

/** @throws UsageError where an event cannot be generated: a run could not send it */
function requireAll({ failed }: { readonly failed: readonly FailedSample[] }, contract: string): void {
  const [first] = failed;
  if (first === undefined) return;
  const others = failed.length === 1 ? '' : ` (and ${amount(failed.length - 1, 'other event')})`;
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `the contract ${contract} has an event of which no valid delivery can be made: ${first.event}: ${first.why}${others}`,
    ...advice[first.member ?? 'schema'],
  });
}
