import type { ServiceKit, Webhook } from '../../serviceKit.ts';

/**
 * Waits until it is over, or nothing has come to these webhooks for so long: a queue may send one notification after the
 * other. At most as long as the retry window.
 *
 * @param lull - those milliseconds, by what has come so far
 */
export async function untilStill(
  kit: ServiceKit,
  webhooks: readonly Webhook[],
  isOver: () => boolean,
  lull: () => number,
): Promise<void> {
  const until = kit.elapsed() + kit.window;
  const attempts = () => webhooks.reduce((sum, { endpoint }) => sum + endpoint.caught.length, 0);
  for (let seen = -1; !isOver() && seen < attempts() && kit.elapsed() < until;) {
    seen = attempts();
    await kit.soon(() => isOver() || undefined, Math.min(lull(), until - kit.elapsed()));
  }
}
