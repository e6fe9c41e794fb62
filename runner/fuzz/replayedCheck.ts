import { Unproven } from '../../suites/check.ts';
import type { Fuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { SavedCase } from '../savedCase.ts';
import type { SequenceCase } from './sequenceCase.ts';

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
      const { finding, judged } = await model.run(kit, (value as SequenceCase<Found>).steps);
      if (finding === undefined && broken !== model.fatal && !judged.includes(broken))
        throw new Unproven(
          `nothing of it shows whether ${broken} is broken: see that all options of that run are given`,
        );
      return finding;
    },
  };
}
