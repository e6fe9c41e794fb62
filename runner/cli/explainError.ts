import { SeaworthyError } from '../errors.ts';
import { commandGroups, commands } from './commands.ts';

/** What the program says as it ends with an error, and the exit code that goes with it. */
export interface Explained {
  readonly text: string;
  readonly exitCode: number;
}

const names = [...commandGroups, ...commands].map(({ name }) => name.split(' ')[0]);
const commandsNamed = new RegExp(`\\bseaworthy (?=(?:${names.join('|')}|--help)\\b)`, 'g');

/**
 * Every error of the catalogue says what to do; any other is a bug of the kit, and says how to report it.
 *
 * @param program - the words that start the kit, for the commands that it names. Default: its name
 */
export function explainError(error: unknown, program = 'seaworthy'): Explained {
  if (error instanceof SeaworthyError) {
    const [received = '', ...others] = error.message.split('\n');
    const advice = others.map((line) => `${line.replaceAll(commandsNamed, () => `${program} `)}\n`).join('');
    return { text: `seaworthy: ${received}\n${advice}  code:  ${error.code}\n`, exitCode: error.exitCode };
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
