import { expect, it } from 'vitest';

import type { ReceiverFault } from '../../reference/faults/receiver/fault.ts';
import { loadContract } from '../../spec/contract.ts';
import type { ReceiverCheck, ServiceCheck } from '../../suites/check.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import type { ServiceKit } from '../../suites/serviceKit.ts';

// What these lines demand is seen by tsc: each directive is an error where the line below it compiles.

// @ts-expect-error no requirement has this id
export const requirements: ReceiverCheck['requirements'] = ['RCV-1', 'RVC-2'];
// @ts-expect-error no requirement has this id
export const fatal: NonNullable<ServiceCheck['fatal']> = 'ROB-22';
// @ts-expect-error no requirement has this id
export const breaks: ReceiverFault['breaks'] = ['VRF-99'];
// @ts-expect-error a receiver's checks do not wait for deliveries
export const schedule: NonNullable<ReceiverCheck['schedule']> = { kind: 'waiting' };

export async function misspelt(receiver: ReceiverKit, service: ServiceKit): Promise<void> {
  // @ts-expect-error no gap has this id
  receiver.observe('GAP-99', 'a value', 'the evidence');
  // @ts-expect-error no assumption has this key
  receiver.assumed('body.mediatype');
  // @ts-expect-error no assumption has this key
  service.learn('retries.schedul', 'any', 'the evidence');
  // @ts-expect-error no operation plays this role
  await service.call('crete');
  // @ts-expect-error an operationId is no role
  await service.list('listWebhooks');
}

it('refuses at run time, too, what the types refuse', () => {
  // @ts-expect-error no operation plays this role
  expect(() => loadContract().operation('crete')).toThrow(/no operation with the role "crete"/);
});
