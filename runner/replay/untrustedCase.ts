import { visible } from '../../reports/text/visible.ts';
import { UsageError } from '../errors.ts';
import type { Options } from '../options/options.ts';
import { shellWord } from '../options/shellWord.ts';

/** What a file would have the kit do. */
export interface NamedInFile {
  readonly file: string;
  /** By option. */
  readonly named: Readonly<Record<string, readonly string[]>>;
  readonly options: Options;
}

/** A line for each file, and below it what it names, as one would give it on a command line. */
export function namedLines(files: readonly NamedInFile[]): readonly string[] {
  return files.flatMap(({ file, named, options }) => [
    `  ${visible(file)}`,
    ...Object.entries(named).flatMap(([name, texts]) => texts.map((text) => `    ${optionText(options, name, text)}`)),
  ]);
}

/** @param files - those that name something */
export function untrustedCase(files: readonly NamedInFile[]): UsageError {
  return new UsageError('SW_CASE_UNTRUSTED', {
    received: [
      'a file would run commands, choose an address, or get what is secret; nothing was run and nothing sent:',
      ...namedLines(files),
    ].join('\n'),
    valid: 'these things from the command line, the environment or the config of the folder',
    next: 'where you know the file and all that stands above, add --trust; else give these options yourself, with values of your own',
  });
}

function optionText(options: Options, name: string, text: string): string {
  const option = options[name];
  return option?.kind.placeholder === undefined ? `${option?.flag}` : `${option.flag} ${visible(shellWord(text))}`;
}
