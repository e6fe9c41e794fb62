import { visible } from '../../reports/text/visible.ts';
import { UsageError } from '../errors.ts';
import type { Options } from '../options/option.ts';
import { shellWord } from '../options/shellWord.ts';
import { isLoopbackUrl } from '../../reports/curl/replayCommand.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { settingTexts, type CommandLine, type SettingSources } from '../options/settings.ts';
import { fileOptions } from './trustedOptions.ts';

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

const starting = ['start', 'image', 'port'] as const;

/** What is given for the target alone. */
const confided = ['secret', 'token', 'header'] as const;

/**
 * What a case would have the kit do that no file may decide, as options; empty where it shapes the case alone. What was
 * given counts in its place. Its address is data where it is loopback, unless something secret was given without an address.
 *
 * @param trust - whether what it names is wanted: then it goes before the config of the folder, and the address is named
 */
export function namedInCase(
  options: Options,
  saved: SavedCase,
  sources: SettingSources,
  trust: boolean,
): Readonly<Record<string, readonly string[]>> {
  const given = settingTexts(options, beforeFile(sources, trust));
  const replaced = new Set([...Object.keys(given), ...(isStarted(given) ? starting : [])]);
  const named = Object.entries(fileOptions(saved).named).filter(([name]) => !replaced.has(name));
  const isConfided = confided.some((name) => settingTexts(options, sources)[name] !== undefined);
  const isOpen = !isConfided && (isLoopbackUrl(saved.url) || saved.url.startsWith('/'));
  const isPlaced = replaced.has('url') || (isOpen && !trust);
  return { ...(!isPlaced && { url: [saved.url] }), ...Object.fromEntries(named) };
}

/** What was given that counts instead of what a file names. */
export function beforeFile(sources: SettingSources, trust: boolean): SettingSources {
  return trust ? { ...sources, config: [] } : sources;
}

/** Whether these options say how the target is started. */
export function isStarted(options: CommandLine): boolean {
  return options['start'] !== undefined || options['image'] !== undefined;
}

/** The section of a config without what says how the target is started. */
export function withoutStart(section: object): object {
  return { ...section, ...Object.fromEntries(starting.map((name) => [name, undefined])) };
}
