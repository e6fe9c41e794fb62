import { shellQuote } from './shell.ts';

/** A word of a shell, with what is quoted in it. */
const word = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs;

/**
 * The command that tries a saved case again.
 *
 * @param command - the one that ran it: how the kit was started is taken from there, and whether it was given a secret,
 * a key or a header, whose values no file holds. Where one header is missing in the file, all are given: they count instead
 * of those in the file
 */
export function replayCommand(file: string, command: string): string {
  const [program = ''] = command.split(/ (?:receiver|service|fuzz) /);
  const words = command.match(word) ?? [];
  const headers = optionsOf(words, ['--header']);
  const given = [
    ...optionsOf(words, ['--secret', '--token']).filter((option) => option.includes(' "')),
    ...(headers.some((option) => option.includes('$SEAWORTHY_HEADER_')) ? headers : []),
  ];
  return [program, 'replay', /^[\w./:@-]+$/.test(file) ? file : shellQuote(file), ...given].join(' ');
}

/** These options with their values, as they stand in a command. */
function optionsOf(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.flatMap((flag, at) => (flags.includes(flag) ? [`${flag} ${words[at + 1] ?? ''}`] : []));
}
