import { shellQuote } from './shell.ts';

/**
 * The command that tries a saved case again.
 *
 * @param command - the one that ran it: how the kit was started is taken from there, and whether it was given a secret,
 * a key or a header, whose values no file holds
 */
export function replayCommand(file: string, command: string): string {
  const [program = ''] = command.split(/ (?:receiver|service|fuzz) /);
  const secrets = command.match(/ --(?:secret|token|header) "[^"]*"/g) ?? [];
  return `${program} replay ${/^[\w./:@-]+$/.test(file) ? file : shellQuote(file)}${secrets.join('')}`;
}
