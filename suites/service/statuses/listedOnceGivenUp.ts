import { statusTerms } from '../../../spec/serviceTerms.ts';
import { Unobservable, Unproven } from '../../check.ts';
import type { ListedNotification, Notified, ServiceKit } from '../../serviceKit.ts';

/** What is done must be listed as well as what is new. */
export async function listedOnceDone(kit: ServiceKit, { id }: Notified, statuses: readonly string[]) {
  await kit.settle();
  return kit.untilListed(id, statuses);
}

/**
 * A retry that is only late seems to be given up. What is still listed as under way then shows nothing of its end.
 *
 * @throws Unproven where nothing else comes of it
 */
export async function listedOnceGivenUp(kit: ServiceKit, notified: Notified): Promise<ListedNotification | undefined> {
  const { underway, exhausted } = statusTerms(kit.terms);
  for (;;) {
    await untilGivenUp(kit, notified);
    const { length } = notified.attempts;
    const found = await listedOnceDone(kit, notified, [exhausted]);
    if (found?.status !== underway || length > kit.contract.delivery.retries) return found;
    const isRetried = await kit.until(async () => notified.attempts.length > length || undefined);
    if (!isRetried) throw new Unproven(`it is listed as ${underway}, so that nothing shows what becomes of it at last`);
  }
}

/** Milliseconds between two looks at whether it is listed as given up: before all of its retries, where nothing else says so. */
const pace = 1000;

/** @throws Unobservable where the retries take longer than they are waited for */
async function untilGivenUp(kit: ServiceKit, notified: Notified): Promise<void> {
  const { retries } = kit.contract.delivery;
  const { exhausted } = statusTerms(kit.terms);
  let looked = kit.elapsed();
  const over = await kit.until(async () => {
    if (notified.attempts.length > retries || kit.isOverdue(notified)) return true;
    if (kit.elapsed() - looked < pace) return undefined;
    const { status } = (await kit.listed([notified.id])).get(notified.id) ?? {};
    looked = kit.elapsed();
    return status === exhausted || undefined;
  });
  if (over === undefined)
    throw new Unobservable('the retries were not over yet, so that nothing shows whether what has failed is listed');
}
