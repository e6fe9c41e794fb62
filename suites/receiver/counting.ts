import type { Attempt } from '../delivery.ts';
import type { Effects, ReceiverKit } from '../kit.ts';

type Sent = Pick<Attempt, 'delivery'>;

/** The ids of what was sent. */
export function idsOf(sent: readonly Sent[]): readonly string[] {
  return sent.map(({ delivery }) => delivery.id);
}

/** One effect of each, as the shared wait takes it. */
export function oneOfEach(...sent: readonly Sent[]): Effects {
  return new Map(idsOf(sent).map((id) => [id, 1]));
}

/** How many effects what was sent has had. */
export function countOf(effects: Effects, { delivery }: Sent): number {
  return effects.get(delivery.id) ?? 0;
}

/** `no effect`, `1 effect`, `2 effects`. */
export function effectsInWords(count: number): string {
  return count === 0 ? 'no effect' : `${count} effect${count === 1 ? '' : 's'}`;
}

/** What usually does the work of one notification under the id of another. */
const mixedUp =
  'The work of one was done for another: it had its effect and that of the other. Keep the notification of a request in ' +
  'variables of that request. In a global variable, in a member of an object that all requests share, or in what a job reads when ' +
  'it begins, another request overwrites it meanwhile.';

/** The hint where one of them took no effect, and another one more than one. */
export function mixedUpHint(effects: Effects, sent: readonly Sent[]): { readonly hint?: string } {
  const counts = sent.map((one) => countOf(effects, one));
  return counts.includes(0) && counts.some((count) => count > 1) ? { hint: mixedUp } : {};
}

/** Their effects before anything else is delivered: the wait that all checks share would let others go on. */
export async function effectsAlone(kit: ReceiverKit, sent: readonly Sent[]): Promise<Effects> {
  const ids = idsOf(sent);
  await kit.untilEffect(ids);
  return kit.effectsSoFar(ids);
}
