import type { Command } from './command.ts';
import { indented } from './indented.ts';

/** What stands below a command's options in its help: examples and exit codes. */
export function afterHelp({ examples, exitCodes }: Command, columns: number): string {
  const lines = examples.map(([line, does]) => `  ${line}\n${indented(does, columns, '      ')}`);
  const codes = exitCodes.map(([code, when]) => indented(when, columns, '       ', `  ${String(code).padEnd(5)}`));
  return `\nExamples:\n${lines.join('\n')}\n\nExit codes:\n${codes.join('\n')}`;
}
