import { Unproven } from '../check.ts';
import type { Caught } from '../exchange.ts';
import type { Notified, ServiceKit } from '../serviceKit.ts';

/**
 * Waits for so many retries, or until a tenth of the retry window has passed without one: those that came are enough to
 * be looked at.
 *
 * @returns all attempts
 * @throws Unproven where no retry came
 */
export async function retriesSeen(kit: ServiceKit, notified: Notified, retries: number): Promise<readonly Caught[]> {
  await kit.until(async () => notified.attempts.length > retries || isOver(kit, notified) || undefined);
  if (notified.attempts.length < 2) throw new Unproven('no retry came, so none could be looked at');
  return notified.attempts;
}

function isOver(kit: ServiceKit, { attempts }: Notified): boolean {
  const ended = attempts.at(-1)?.end?.at;
  return ended !== undefined && kit.elapsed() - ended > kit.window / 10;
}
