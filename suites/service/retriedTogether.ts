import { unlessUnobservable } from '../check.ts';
import type { Caught, CatchScript } from '../exchange.ts';
import type { ServiceKit, Webhook } from '../serviceKit.ts';
import { isInactive } from './isInactive.ts';
import { patience, untilStill } from './load/notHeldUp.ts';
import { retriesAgain } from './pausing.ts';
import { accept, refuse } from './steps.ts';

/** The part of the retry window for which the next retry is awaited at least: a worker may be at work on others. */
const part = 1 / 6;

/** The answers of an endpoint that refuses each notification once, where the contract promises that it is sent again. */
export function refusedOnce({ contract }: Pick<ServiceKit, 'contract'>): CatchScript {
  return contract.delivery.retries > 0 ? [refuse(), accept(contract)] : [accept(contract)];
}

/** Those of several webhooks that got no retry of what they refused, beside one that did. */
export interface WithoutRetry {
  readonly webhook: Webhook;
  /** How many there are. */
  readonly count: number;
  /** The first retry that another one got. */
  readonly twin: Caught;
}

/**
 * Waits until each of several webhooks that answer as {@link refusedOnce} has got a retry. One that is missing counts
 * where it is missing still when the service {@link retriesAgain}.
 *
 * @returns nothing where all got one, where none came soon, or where they still came when the retry window ended
 */
export async function withoutRetry(kit: ServiceKit, all: readonly Webhook[]): Promise<WithoutRetry | undefined> {
  if (kit.contract.delivery.retries === 0) return undefined;
  const until = kit.elapsed() + kit.window;
  const least = Math.max(patience, kit.window * part);
  const missing = () => all.filter(({ endpoint }) => endpoint.caught.length === 1);
  const firstRetry = () => all.flatMap(({ endpoint }) => endpoint.caught.slice(1, 2))[0];
  const twin = await kit.soon(firstRetry, least);
  if (twin === undefined) return undefined;
  const lull = () => Math.max(least, kit.overdueAfter({ took: slowestRetry(all), timeout: 0 }));
  const still = () => untilStill(kit, all, () => missing().length === 0, lull);
  await still();
  if (missing().length === 0 || !(await retriesAgain(kit, until, kit.delivered(twin, 'event')))) return undefined;
  await still();
  const [webhook] = missing();
  if (webhook === undefined || kit.elapsed() >= until) return undefined;
  return (await isInactive(kit, webhook).catch(unlessUnobservable))
    ? undefined
    : { webhook, count: missing().length, twin };
}

/** Milliseconds that passed at most between the first two attempts at one of them. */
function slowestRetry(all: readonly Webhook[]): number {
  return Math.max(0, ...all.map(({ endpoint: { caught } }) => (caught[1]?.at ?? 0) - (caught[0]?.at ?? 0)));
}
