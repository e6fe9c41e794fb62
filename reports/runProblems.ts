import type { RunSummary } from './summary.ts';

/** What ended a run early or went wrong in the kit itself: nothing that one check could say. */
export interface RunProblem {
  readonly title: string;
  readonly text: string;
}

/** The problems of a run as a whole, the gravest last; none where it came to its end. */
export function runProblems(summary: RunSummary): readonly RunProblem[] {
  const { lost, errors, interrupted, ended } = summary;
  return [
    ...(lost ? [{ title: 'the target could not be tested to the end', text: `${lost.reason}\n${lost.advice}` }] : []),
    ...errors.map(({ where, message, stack }) => ({
      title: `a fault of ${summary.kit.name} itself, in ${where}`,
      text: stack ?? message,
    })),
    ...(interrupted
      ? [{ title: 'the run was interrupted', text: 'What had not ended by then was not observed.' }]
      : []),
    ...(ended
      ? []
      : [{ title: 'the run has no end', text: 'It was killed; the report holds what was seen until then.' }]),
  ];
}
