import type { Answer } from '../../suites/delivery.ts';
import type { Pace } from './pace.ts';
import type { Slots } from './slots.ts';

/** Statuses of a target that has too much to do. */
const overloaded: ReadonlySet<number> = new Set([429, 503]);

/** Sends a request in the place that it was given, and lets the pace know how the target took it. */
export async function paced(
  send: () => Promise<Answer>,
  pace: number | Pace,
  slots: Pick<Slots, 'full'>,
): Promise<Answer> {
  if (typeof pace === 'number') return send();
  const began = performance.now();
  const answer = await send();
  if (answer.kind === 'answered' && !overloaded.has(answer.status))
    pace.answered(performance.now() - began, { began, full: slots.full });
  else if (answer.kind !== 'broken' || !answer.code.endsWith('_BY_KIT')) pace.failed({ began });
  return answer;
}
