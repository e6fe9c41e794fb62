import type { Contract } from '../../spec/contract.ts';
import type { Call } from '../../suites/exchange.ts';
import type { UntimedEvent } from '../engine/eventStream.ts';

/** Lets Prism judge every call beside the kit, and tells where the two disagree. */
export interface Opinions {
  judge(call: Call): void;
  /** Tells how many were compared. */
  finish(): void;
}

/** Loads Prism, which takes most of a second. @throws KitError where it cannot read the contract */
export async function openOpinions(contract: Contract, emit: (event: UntimedEvent) => void): Promise<Opinions> {
  const { createSecondOpinion } = await import('../prism/secondOpinion.ts');
  const opinion = await createSecondOpinion(contract);
  let differed = 0;
  return {
    judge(call) {
      const opinions = opinion.compare(call);
      differed += opinions.length;
      for (const each of opinions) emit({ type: 'opinion.differed', ...each });
    },
    finish: () => emit({ type: 'opinion.finished', compared: opinion.compared, differed }),
  };
}

/** Where no second opinion is wanted. */
export const noOpinions: Opinions = { judge: () => {}, finish: () => {} };
