import { describeAnswer } from '../answer.ts';
import type { Finding } from '../check.ts';
import type { ReceiverKit } from '../kit.ts';
import { expectEffects, type EffectClaim } from './effect.ts';
import { type Point, finding } from '../finding.ts';
import { attempt } from './expectation.ts';

/**
 * After a hostile case a plain delivery is still accepted, and takes effect; what the case itself claims about effects
 * is judged with it. The finding shows all that the case sent.
 */
export async function expectStillServing(
  kit: ReceiverKit,
  point: Point,
  ...claims: readonly EffectClaim[]
): Promise<Finding | undefined> {
  const hostile = [...kit.attempts];
  const plain = kit.compose(kit.control);
  const answer = await kit.deliverWithRetries(plain);
  const served = attempt(plain, answer);
  if (kit.accepts(answer)) {
    return expectEffects(kit, ...claims, { attempts: [served], claim: 'still once', point });
  }
  return finding(point, {
    attempts: [...hostile, served],
    expected: 'a plain delivery is still accepted afterwards',
    actual: describeAnswer(answer),
    absence: true,
  });
}
