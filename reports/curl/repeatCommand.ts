import { shellQuote } from './shell.ts';

/** The command that repeats one check of a run: what is expected of others is left out. */
export function repeatCommand(check: string, command: string): string {
  return `${wholeCommand(command)} --only ${/^[\w./:@-]+$/.test(check) ? check : shellQuote(check)}`;
}

/** The command that repeats a run with all its checks, where a selection was made. */
export function wholeCommand(command: string): string {
  return command.replace(/ --(?:only|skip|expect-failures)[ =](?:'(?:[^']|'\\'')*'|"[^"]*"|\S+)/g, '');
}
