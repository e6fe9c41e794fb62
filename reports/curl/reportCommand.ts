import { shellQuote } from './shell.ts';

/**
 * The command that shows the whole of a run later, made from its journal.
 *
 * @param journal - its path; where it is not known, a placeholder stands there
 * @param command - the one that ran it: how the kit was started is taken from there
 */
export function reportCommand(journal: string | undefined, command: string): string {
  const [program = ''] = command.split(/ (?:receiver|service|fuzz) /);
  const path = journal ?? '<journal>';
  return `${program} report ${/^[\w./:@-]+$|^<journal>$/.test(path) ? path : shellQuote(path)} --report html=report.html`;
}
