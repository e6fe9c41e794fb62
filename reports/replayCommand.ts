import { shellQuote } from './shell.ts';

/**
 * The command that tries a saved case again.
 *
 * @param command - the one that ran it: how the kit was started is taken from there, and whether it was given a secret
 * or a key, which no file holds
 */
export function replayCommand(file: string, command: string): string {
  const [program = ''] = command.split(/ (?:receiver|service|fuzz) /);
  const secrets = command.match(/ --(?:secret|token) "[^"]*"/g) ?? [];
  return `${program} replay ${/^[\w./:@-]+$/.test(file) ? file : shellQuote(file)}${secrets.join('')}`;
}
