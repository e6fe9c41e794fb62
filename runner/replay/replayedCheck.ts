import { Unobservable, Unproven } from '../../suites/check.ts';
import type { Fuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { SequenceCase } from '../fuzz/sequenceCase.ts';

/** A saved sequence as a check. It shows nothing where the requirement that was broken cannot be seen. */
export function replayedCheck<Kit, Source, Found extends object>(
  model: Fuzzing<Kit, Source, Found>,
  { check: id, title, requirements }: SavedCase,
  holdsLife: boolean,
) {
  const [broken = model.fatal] = requirements;
  return {
    id,
    title,
    requirements: [broken] as const,
    needs: holdsLife ? (['life'] as const) : [],
    fatal: model.fatal,
    hint: '',
    cases: () => [],
    run: async (kit: Kit, value: unknown): Promise<Found | undefined> => {
      const { steps } = value as SequenceCase<Found>;
      const { finding, judged } = await model.run(kit, steps).catch((error: unknown) => {
        // What stands in a file may be anything: a damaged step is no fault of the kit.
        if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
        throw new Unobservable(`a step of the file cannot be played as it stands: ${error.message}`);
      });
      if (finding === undefined && broken !== model.fatal && !judged.includes(broken))
        throw new Unproven(
          `nothing of it shows whether ${broken} is broken: see that all options of that run are given`,
        );
      return finding;
    },
  };
}
