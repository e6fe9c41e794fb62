import { isLoopbackUrl } from '../../reports/curl/replayCommand.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import { visible } from '../../reports/text/visible.ts';
import { isShippedContract } from '../../spec/shippedContracts.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { UsageError } from '../errors.ts';
import { openContract } from '../options/openContract.ts';
import type { Options } from '../options/option.ts';
import type { receiverReplayOptions, serviceReplayOptions } from '../options/replayOptions.ts';
import { type CommandLine, type SettingSources, settingTexts } from '../options/settings.ts';

type OptionName = keyof typeof receiverReplayOptions | keyof typeof serviceReplayOptions;

/** Whether a text of a saved case shapes the case and nothing else; `never` counts with `--trust` neither. */
type Right = ((text: string) => boolean) | 'never';

const always = (): boolean => true;
const needsTrust = (): boolean => false;

/**
 * What the options in a saved case may say. What runs a command, opens or names a file, listens, names an address that is
 * not loopback, or holds a variable for something secret, is not data.
 */
const rights: Readonly<Record<OptionName, Right>> = {
  events: always,
  trackable: always,
  untrackable: always,
  concurrency: always,
  rate: always,
  timeout: always,
  maxAnswer: always,
  maxDepth: always,
  maxEntries: always,
  maxPages: always,
  settle: always,
  retryWindow: always,
  assume: (text) => !text.startsWith('@'),
  contract: isShippedContract,
  openapi: needsTrust,
  header: (text) => !text.includes('$'),
  probe: isLoopbackUrl,
  emit: isLoopbackUrl,
  recover: isLoopbackUrl,
  start: needsTrust,
  image: needsTrust,
  port: needsTrust,
  reset: needsTrust,
  ca: needsTrust,
  insecure: needsTrust,
  secretEnv: needsTrust,
  published: needsTrust,
  apiListen: needsTrust,
  catcher: needsTrust,
  catcherListen: needsTrust,
  url: 'never',
  secret: 'never',
  token: 'never',
  env: 'never',
  allowRemote: 'never',
};

/** The options of a saved case, by what has to be true before they count. */
export interface FileOptions {
  /** What shapes the case: it counts as it is. */
  readonly data: CommandLine;
  /** What the user has to trust, or give instead. */
  readonly named: Readonly<Record<string, readonly string[]>>;
}

/**
 * Sorts the options of a saved case. What no file may say, and what nobody knows, is left out: also an assumption that an
 * earlier version had, and that never changed a case.
 */
export function fileOptions({ options }: Pick<SavedCase, 'options'>): FileOptions {
  const { assume = [], ...others } = options;
  const [named = ''] = others['contract'] ?? [];
  // Whatever another contract assumes is tested when it is opened, with the user's trust.
  const assumed = named === '' || named === 'tracking' ? assume.filter(isKnownAssumption) : assume;
  const all = assumed.length > 0 ? { ...others, assume: assumed } : others;
  const known = Object.entries(all).filter(([name]) => rightOf(name) !== 'never');
  const isData = ([name, texts]: readonly [string, readonly string[]]): boolean => {
    const right = rightOf(name);
    return right !== 'never' && texts.every(right);
  };
  return {
    data: Object.fromEntries(known.filter(isData)),
    named: Object.fromEntries(known.filter((entry) => !isData(entry))),
  };
}

function isKnownAssumption(text: string): boolean {
  const [name = ''] = text.split('=');
  return name.startsWith('@') || openContract().assumptions.some(({ key }) => key === name.trim());
}

/** Whether an option may be data as an address only. */
export function isPlace(name: string): boolean {
  return rightOf(name) === isLoopbackUrl;
}

/** Whether an option says how the case is played, and not where: then a file goes before the config of a folder. */
export function shapesCase(name: string): boolean {
  return rightOf(name) === always || name === 'assume' || name === 'contract';
}

function rightOf(name: string): Right {
  return Object.hasOwn(rights, name) ? rights[name as OptionName] : 'never';
}

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
