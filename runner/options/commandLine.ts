import { variableWord, shellWord } from '../../reports/curl/shell.ts';
import type { Options } from './option.ts';
import { type CommandLine, settingTexts, type SettingSources } from './settings.ts';
import type { GivenOptions } from '../engine/plan.ts';
import { unsaved } from './replayOptions.ts';

/** What does not belong into the command that repeats a run: what only shows it, and the seed, which is added last. */
const leftOut = new Set(['report', 'keepRuns', 'export', 'list', 'resume', 'seed']);

/**
 * The command line that was given, as one would type it again. A secret is never shown: a variable stands for it, and for
 * the value of an option that may hold one.
 *
 * @param program - how the kit was started, where that is not by its name
 *
 * @example
 * commandLine('receiver', ['http://localhost:3000/hooks'], receiverOptions, { only: ['IDM-*'], secret: ['s3cret'] })
 * // `seaworthy receiver http://localhost:3000/hooks --only 'IDM-*' --secret "${SEAWORTHY_SECRET:?set it to the value of --secret}"`
 */
export function commandLine(
  command: string,
  operands: readonly string[],
  options: Options,
  given: CommandLine,
  program = 'seaworthy',
): string {
  const words = Object.entries(options).flatMap(([name, option]) => {
    const texts = leftOut.has(name) ? [] : (given[name] ?? []);
    if (option.kind.placeholder === undefined) return texts.map(() => option.flag);
    if (option.hidden !== undefined) return option.hidden(texts).map((text) => `${option.flag} ${filledIn(text)}`);
    return texts.map((text, index) => `${option.flag} ${hidden(option, index) ?? (option.shown ?? filledIn)(text)}`);
  });
  return [program, command, ...operands.map(filledIn), ...words].join(' ');
}

/** Variables in an address or a header; in a command they are left to the shell that runs it. */
const confided =
  /(?<=^https?:.*)\$\{?(SEAWORTHY_(?:SECRET|TOKEN|PASSWORD)(?:_\d+)?|SEAWORTHY_HEADER_\w+)|(?<=: )\$(SEAWORTHY_PASSWORD(?:_\d+)?|SEAWORTHY_HEADER_\w+(?=$))/g;

/** A word in which the shell fills in the variables that stand for what is secret. */
function filledIn(text: string): string {
  const variables = Array.from(text.matchAll(confided), ([, inAddress, inHeader = '']) => inAddress ?? inHeader);
  return variableWord(text, variables) ?? shellWord(text);
}

function hidden({ environment: variable, flag }: Options[string], index: number): string | undefined {
  if (variable === undefined) return undefined;
  // It was given as an option: nothing says that the variable is there as well.
  return `"\${${variable}${index === 0 ? '' : `_${index + 1}`}:?set it to the value of ${flag}}"`;
}

/** What a run was given, from wherever it came, as a saved case holds it. */
export function givenOptions(options: Options, url: string, sources: SettingSources): GivenOptions {
  const texts = settingTexts(options, sources);
  const kept = Object.entries(texts).filter(([name]) => !unsaved.has(name));
  return {
    url,
    options: Object.fromEntries(kept.map(([name, given]) => [name, options[name]?.hidden?.(given) ?? given])),
    env: (texts['env'] ?? []).map((text) => text.split('=')[0] ?? ''),
  };
}
