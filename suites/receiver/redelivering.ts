import { Unproven, type Finding } from '../check.ts';
import type { Attempt } from '../delivery.ts';
import type { Effects, ReceiverKit } from '../kit.ts';
import {
  countOf,
  notOnce,
  lostOf,
  observeRepeats,
  recoveredEffects,
  expectTakenAgain,
  refusalTime,
} from './aftermath.ts';
import type { Point } from '../finding.ts';
import type { RequirementId } from '../../spec/names.ts';

/** The plain delivery that was accepted after the restart, and what was different for all others. */
export interface Beside {
  readonly twin: Attempt;
  readonly difference: string;
}

/**
 * What is delivered again is accepted, and has taken effect then: IDM-5 asks for it where the first delivery was never
 * acknowledged, RTY-1 in any case.
 *
 * @throws Unproven where the plain delivery beside it took no effect either
 */
export async function expectKeptAgain(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  beside: Beside,
): Promise<Finding | undefined> {
  const point = { ...beside, concurrent: attempts.length > 1 };
  const refused = await redelivered(kit, attempts, (sent) => ({ ...point, requirement: refusalBreaks(kit, sent) }));
  if (refused) return refused;
  await kit.untilEffect(attempts.map(({ delivery }) => delivery.id));
  const effects = await recoveredEffects(kit, [beside.twin, ...attempts]);
  const lost = lostOf(attempts, effects, beside.twin);
  return lost && notOnce(kit, lost, { ...point, requirement: lossBreaks(kit, lost) }, effects);
}

/**
 * What is delivered again takes no second effect because of that: effects are counted before and after, and so are
 * those of bystanders, which nobody delivers again.
 *
 * @throws Unproven where those of a bystander grew too (a queue may work on something twice), and where nothing was accepted
 */
export async function expectOnceAgain(
  kit: ReceiverKit,
  { attempts, bystanders }: { readonly attempts: readonly Attempt[]; readonly bystanders: readonly Attempt[] },
  beside: Beside,
): Promise<Finding | undefined> {
  const all = [...attempts, ...bystanders];
  const before = await kit.effects(atLeast(kit, all));
  const answers = await Promise.all(attempts.map(({ delivery }) => kit.deliverWithRetries(delivery, refusalTime)));
  if (!answers.some((answer) => kit.accepts(answer))) throw new Unproven('no redelivery was accepted');
  await kit.untilEffect(attempts.map(({ delivery }) => delivery.id));
  const after = await kit.effects(atLeast(kit, all));
  observeRepeats(kit, bystanders, after, beside.difference);
  const grown = (sent: Attempt) => countOf(after, sent) > Math.max(1, countOf(before, sent));
  const repeated = attempts.find(grown);
  if (!repeated) return undefined;
  if (bystanders.some(grown)) throw new Unproven('what was not delivered again took effect again as well');
  return notOnce(kit, repeated, { ...beside, requirement: 'IDM-2', concurrent: all.length > 3 }, after);
}

/** Delivers all of them again, at the same time. The first that stays refused is the finding. */
async function redelivered(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  pointOf: (sent: Attempt) => Point,
): Promise<Finding | undefined> {
  const findings = await Promise.all(attempts.map((sent) => expectTakenAgain(kit, sent.delivery, pointOf(sent))));
  return findings.find((found) => found !== undefined);
}

/** Nothing is expected of what was not acknowledged: it may have arrived or not. */
function atLeast(kit: ReceiverKit, attempts: readonly Attempt[]): Effects {
  return new Map(attempts.map(({ delivery, answer }) => [delivery.id, kit.accepts(answer) ? 1 : 0]));
}

function refusalBreaks(kit: ReceiverKit, { answer }: Attempt): RequirementId {
  return kit.accepts(answer) ? 'IDM-1' : 'RTY-1';
}

function lossBreaks(kit: ReceiverKit, { answer }: Attempt): RequirementId {
  return kit.accepts(answer) ? 'RTY-1' : 'IDM-5';
}
