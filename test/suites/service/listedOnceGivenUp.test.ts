import { expect, test } from 'vitest';

import { loadContract } from '../../../spec/contract.ts';
import type { Caught } from '../../../suites/exchange.ts';
import type { Notified, ServiceKit } from '../../../suites/serviceKit.ts';
import { listedOnceGivenUp } from '../../../suites/service/statuses/listedStatus.ts';

const contract = loadContract();
const { underway, exhausted } = contract.service!.notification!.statuses;

/**
 * A notification that seems to be given up after three attempts.
 *
 * @param later - attempts that come when they are waited for
 * @param listedAs - its status after so many attempts; nothing where it is not listed
 * @param isOverdue - false where nothing but the list says that no attempt follows
 */
function lookedUp(later: number, listedAs: (attempts: number) => string | undefined, isOverdue = true) {
  let now = 0;
  const listed = (id: string) => {
    const status = listedAs(attempts.length);
    return status === undefined ? undefined : { id, status };
  };
  const attempts = [1, 2, 3].map(() => ({}) as Caught);
  const notified = { id: 'n', attempts } as unknown as Notified;
  const kit = {
    contract,
    terms: contract.service!,
    elapsed: () => (now += 1000),
    isOverdue: () => isOverdue,
    settle: async () => {},
    until: async (ask: () => Promise<unknown>) => {
      for (let tried = 0; tried < later; tried += 1) attempts.push({} as Caught);
      return ask();
    },
    listed: async (ids: readonly string[]) => new Map(ids.map((id) => [id, listed(id)])),
    untilListed: async (id: string) => listed(id),
  } as unknown as ServiceKit;
  return listedOnceGivenUp(kit, notified);
}

test('a retry that is only late is waited for: what is not listed after the last one is missed', async () => {
  expect(await lookedUp(10, (attempts) => (attempts > 12 ? undefined : underway))).toBeUndefined();
});

test('what is given up early and listed as that is found', async () => {
  expect(await lookedUp(0, () => exhausted)).toMatchObject({ status: exhausted });
});

test('what is listed as given up is not waited for, though nothing shows that its next attempt is overdue', async () => {
  expect(await lookedUp(0, () => exhausted, false)).toMatchObject({ status: exhausted });
  await expect(lookedUp(0, () => underway, false)).rejects.toThrow('the retries were not over yet');
});

test('what is listed as under way for ever, though all attempts were made, is listed', async () => {
  expect(await lookedUp(10, () => underway)).toMatchObject({ status: underway });
});

test('where nothing more comes of it, nothing is shown', async () => {
  await expect(lookedUp(0, () => underway)).rejects.toThrow('nothing shows what becomes of it');
});
