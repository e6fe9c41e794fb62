import type { ServiceOptions } from '../../reference/service/service.ts';
import { UsageError } from '../errors.ts';
import { didYouMean, nearest } from '../options/nearest.ts';

/**
 * What the reference service is started with so that it makes one mistake.
 *
 * @throws UsageError for a name that no fault has
 */
export async function faultyService(name: string): Promise<ServiceOptions> {
  const { serviceFaults } = await import('../../reference/faults/service/index.ts');
  const { conformingPolicies } = await import('../../reference/service/conformingPolicies.ts');
  const fault = serviceFaults[name];
  if (fault !== undefined) return { policies: fault.change(conformingPolicies) };
  const names = Object.keys(serviceFaults);
  throw new UsageError('SW_OPTION_VALUE', {
    received: `--fault cannot be "${name}"`,
    valid: names.join(', '),
    next: didYouMean(nearest(name, names)) ?? 'take one of these; seaworthy requirements says what each breaks',
  });
}
