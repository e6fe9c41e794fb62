import { readFileSync } from 'node:fs';

/** The widths at which help is written: of a program that reads it, and the widest. */
export const helpWidths = [80, 100] as const;

/** Help by width and by the words that ask for it. */
export type WrittenHelp = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What the words ask for, as the build wrote it, so that neither the commands nor what reads a command line is loaded for it.
 * Undefined where they ask for something else, at another width, and in a clone, whose help is made at each call.
 */
export function writtenHelp(words: readonly string[], columns: number): string | undefined {
  if (!isAsking(words.at(-1))) return undefined;
  const own = texts()[Math.min(columns, helpWidths[1])];
  return own?.[words.join(' ')];
}

function isAsking(word: string | undefined): boolean {
  return word === '--help' || word === '--version';
}

function texts(): WrittenHelp {
  try {
    return JSON.parse(readFileSync(new URL('./help.json', import.meta.url), 'utf8')) as WrittenHelp;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * The words of a command line, with the flag in place of a word that asks for the same: `help receiver` is `receiver --help`,
 * and `version` is `--version`, as is `-v`, which other programs have.
 */
export function asFlags(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === 'version' || first === '-v') return ['--version', ...rest];
  if (first !== 'help') return words;
  // Nothing more is said about these two than what the program's own help says.
  return rest[0] === 'help' || rest[0] === 'version' ? ['--help'] : [...rest, '--help'];
}
