import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import type { ServiceCheck } from '../../../suites/check.ts';
import { retriesChecks } from '../../../suites/service/retries/checks.ts';
import { statusesChecks } from '../../../suites/service/statuses/checks.ts';
import { HandService } from './handService.ts';
import { hold } from './testOwnService.ts';

let service: HandService | undefined;

afterEach(() => service?.close());

/** Milliseconds; far more than anything takes here. */
const retryWindow = 30_000;

/** Tests a service that gives up after 11 retries with one case of a check, and says how long that took. */
async function held(checks: readonly ServiceCheck[], id: string, value: unknown) {
  const check = checks.find((each) => each.id === id)!;
  service = await HandService.start({ retries: 11, backoff: [5] });
  const once = { ...check, cases: () => [fc.constant(value as never)] } as unknown as ServiceCheck;
  const from = performance.now();
  const { outcome } = (await hold(service, [once], { retryWindow })).check();
  return { outcome, isWaitedOut: performance.now() - from > retryWindow };
}

describe('what the service lists as given up elsewhere is not waited for', () => {
  it('where a delivery was accepted at the last attempt that is made', async () => {
    const seen = await held(retriesChecks, 'service/retries/recovery', { failures: 11, status: 500 });
    expect(seen).toEqual({ outcome: 'passed', isWaitedOut: false });
  });

  it('where one attempt more would be looked at', async () => {
    const value = { failures: 12, step: { do: 'respond', status: 500 } };
    const seen = await held(retriesChecks, 'service/retries/same-notification', value);
    expect(seen).toMatchObject({ isWaitedOut: false });
  });

  it('where its own end is waited for', async () => {
    const seen = await held(statusesChecks, 'service/statuses/listed', { refused: 'always' });
    expect(seen).toEqual({ outcome: 'passed', isWaitedOut: false });
  });
});
