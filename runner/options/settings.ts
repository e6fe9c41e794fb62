import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { UsageError } from '../errors.ts';
import { BadValue } from './optionKinds.ts';
import type { Option, Options, Settings } from './option.ts';
import { isRecord } from '../../spec/jsonSchema.ts';

/** Texts by option name, as they stood on the command line; a switch is `['true']`. */
export type CommandLine = Readonly<Record<string, readonly string[] | undefined>>;

/** The three places that options come from. */
export interface SettingSources {
  readonly commandLine: CommandLine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The values of the config file, the more special ones last. */
  readonly config: readonly object[];
  /** What relative paths of the config file are relative to. */
  readonly directory: string;
  /** The config file's name for errors. */
  readonly file?: string;
}

/**
 * The value of every option: from the command line, else the environment, else the config file, else its default.
 * Key-value options are merged key by key in that order; all others are replaced.
 *
 * @throws UsageError where a value cannot be read
 */
export function resolveSettings<Registry extends Options>(
  options: Registry,
  sources: SettingSources,
): Settings<Registry> {
  const entries = Object.entries(options).map(([name, option]) => [name, settingOf(name, option, sources)]);
  return Object.fromEntries(entries) as Settings<Registry>;
}

/** The texts that each setting was read from, by option; those that nobody gave are left out. */
export function settingTexts(options: Options, sources: SettingSources): Readonly<Record<string, readonly string[]>> {
  const given = Object.entries(options).flatMap(([name, option]) => {
    const found = readings(name, option, sources).map(({ texts }) => texts);
    return found.length === 0 ? [] : [[name, isMerged(option) ? found.toReversed().flat() : found[0]!] as const];
  });
  return Object.fromEntries(given);
}

/** Key-value options are merged key by key from all places; of all others the first place counts. */
function isMerged({ kind: { schema } }: Option<unknown>): boolean {
  return schema['type'] === 'object';
}

function settingOf(name: string, option: Option<unknown>, sources: SettingSources): unknown {
  const values = readings(name, option, sources).map(({ texts, label }) => read(option, texts, label));
  if (values.length === 0) return option.defaultIn?.(sources.environment) ?? option.default;
  return isPairs(values) ? Object.assign({}, ...values.toReversed()) : values[0];
}

interface Reading {
  readonly label: string;
  readonly texts: readonly string[];
}

/** Where this option was given, the place that counts first. */
function readings(name: string, option: Option<unknown>, sources: SettingSources): readonly Reading[] {
  const { commandLine, environment, config, directory, file = 'the config file' } = sources;
  const found: Reading[] = [];
  const given = commandLine[name];
  if (given !== undefined) found.push({ label: option.flag, texts: given });
  const variable = option.environment === undefined ? undefined : environment[option.environment];
  if (variable) found.push({ label: option.environment!, texts: variable.split('\n').filter((line) => line !== '') });
  for (const section of config.toReversed()) {
    const value = (section as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || option.commandLineOnly === true) continue;
    const texts = option.kind.texts(value, directory);
    if (commandLine['safe']) requireSafe(option, texts, `${file}: ${name}`, directory);
    found.push({ label: `${file}: ${name}`, texts });
  }
  return found;
}

function read(option: Option<unknown>, texts: readonly string[], label: string): unknown {
  try {
    return option.kind.read(texts);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    const shown = option.environment === undefined ? error.message : '...';
    const received = texts.includes('') ? `${label} is empty` : `${label} cannot be "${shown}"`;
    throw new UsageError(
      'SW_OPTION_VALUE',
      { received, valid: error.valid, next: 'give it such a value, or leave it out' },
      { cause: error },
    );
  }
}

/** Also where the command line gives another value: who wrote the file is not trusted. */
function requireSafe(
  { flag, runs = () => false, writes = () => undefined }: Option<unknown>,
  texts: readonly string[],
  label: string,
  directory: string,
): void {
  const paths = texts.map(writes).filter((path) => path !== undefined);
  const does = texts.some(runs)
    ? 'has something run'
    : paths.some((path) => leadsOut(path, directory)) && 'has something written outside its folder, or in .git';
  if (does === false) return;
  throw new UsageError('SW_CONFIG_UNSAFE', {
    received: `--safe was given, and ${label} ${does}`,
    valid: 'with --safe a config file without commands, images and variables for them, and with paths in its folder',
    next: `read the file, and give ${flag} on the command line, or leave --safe out`,
  });
}

function isPairs(values: readonly unknown[]): values is readonly object[] {
  return values.every(isRecord);
}

/** So many links in a row lead to nothing. */
const mostLinks = 40;

/**
 * Whether what is written to a path would come to lie outside a folder, or in what Git keeps in it. Links are followed, also
 * those to what is not there yet.
 */
function leadsOut(path: string, folder: string): boolean {
  const place = destination(resolve(folder, path), mostLinks);
  if (place === undefined) return true;
  const inside = relative(realpathSync(folder), place);
  return isAbsolute(inside) || inside.split(sep).some((name) => name === '..' || /^\.git$/i.test(name));
}

/** Where a path leads; nothing where its links lead in a circle. */
function destination(path: string, links: number): string | undefined {
  if (links === 0) return undefined;
  if (dirname(path) === path) return path;
  const folder = destination(dirname(path), links);
  if (folder === undefined) return undefined;
  const place = join(folder, basename(path));
  const target = linkAt(place);
  return target === undefined ? place : destination(resolve(folder, target), links - 1);
}

function linkAt(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}
