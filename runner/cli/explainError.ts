import { SeaworthyError } from '../errors.ts';

/** What the program says as it ends with an error, and the exit code that goes with it. */
export interface Explained {
  readonly text: string;
  readonly exitCode: number;
}

/** Every error of the catalogue says what to do; any other is a bug of the kit, and says how to report it. */
export function explainError(error: unknown): Explained {
  if (error instanceof SeaworthyError) {
    return { text: `seaworthy: ${error.message}\n  code:  ${error.code}\n`, exitCode: error.exitCode };
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = trace
    .split('\n')
    .slice(0, 8)
    .map((line) => `  ${line.trim()}`);
  return {
    text: [
      'seaworthy: this is a bug of seaworthy, and says nothing about the target',
      ...lines,
      '  do:    report it with these lines, the command, and the journal of the run if there is one',
      '  code:  SW_INTERNAL',
      '',
    ].join('\n'),
    exitCode: 70,
  };
}
