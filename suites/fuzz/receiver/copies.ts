import { Unproven } from '../../check.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { FuzzStep } from '../fuzzing.ts';
import type { Entry, Ledger } from './ledger.ts';
import { Mistake } from './mistake.ts';

/** Plays steps with fresh ids, and nothing after them. */
export type PlayAgain = (steps: readonly FuzzStep[]) => Promise<Ledger>;

/**
 * Whether it was copies at the same time that gave a notification more than one effect, and not a delivery that came later:
 * nothing else of it was sent, or it has two effects as soon as the step is over in which the copies were.
 */
export async function isByCopies(
  kit: ReceiverKit,
  ledger: Ledger,
  entry: Entry,
  playAgain: PlayAgain,
): Promise<boolean> {
  if (!entry.concurrent) return false;
  const { id } = entry.genuine;
  const together = ledger.played[entry.concurrentAfter]?.attempts ?? [];
  const own = kit.attempts.filter(({ delivery }) => delivery.id === id);
  if (own.every((attempt) => together.includes(attempt))) return true;
  // To end the receiver again would be another sequence.
  if (ledger.blows.length > 0) return false;
  const steps = ledger.played.slice(0, entry.concurrentAfter + 1).map(({ step }) => step);
  return (await effectsAfter(kit, steps, ledger.entries.indexOf(entry), playAgain)) > 1;
}

/** The effects of a notification right after these steps; none where they cannot be played again. */
async function effectsAfter(
  kit: ReceiverKit,
  steps: readonly FuzzStep[],
  place: number,
  playAgain: PlayAgain,
): Promise<number> {
  try {
    const { entries } = await playAgain(steps);
    const id = entries[place]?.genuine.id;
    if (id === undefined) return 0;
    return (await kit.effects(new Map([[id, 1]]))).get(id) ?? 0;
  } catch (error) {
    if (error instanceof Mistake || error instanceof Unproven) return 0;
    throw error;
  }
}
