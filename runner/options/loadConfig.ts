import { existsSync, statSync, readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { lilconfig } from 'lilconfig';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { visible } from '../../reports/text/visible.ts';
import { parseJson } from '../../spec/parseJson.ts';
import { parseYaml } from '../../spec/parseYaml.ts';
import { requireFile, UnreadableFile } from '../../spec/readTextFile.ts';
import { sizeText } from '../../spec/units.ts';
import { type Config, configSchema, configSections } from './config.ts';
import { UsageError } from '../errors.ts';
import { configNames, findConfig, type FoundConfig, programEndings } from './findConfig.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import type { CommandLine } from './settings.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';
import { sharedOptions } from './sharedOptions.ts';
import type { Option, Options } from './option.ts';
import { messageOf } from '../../spec/messageOf.ts';
import { shownPath } from '../output/writtenFile.ts';

/** A config that was read and found right, with the directory that its relative paths are relative to. */
export interface LoadedConfig {
  readonly config: Config;
  /** As the user would write it; nothing where there is no config file. */
  readonly file?: string;
  readonly directory: string;
}

/**
 * The config file named, else the nearest one that {@link findConfig} finds, else an empty config.
 *
 * @param given - `config`: the path of the file; `safe`: none that is code is read
 * @param say - hears which file is read, before any of its code runs, and which ones were passed over: a line each
 * @throws UsageError where it does not exist, cannot be read, or is not as it should be
 */
export async function loadConfig(
  from: string,
  given: CommandLine = {},
  say: (line: string) => void = () => {},
): Promise<LoadedConfig> {
  const named = given['config']?.at(-1);
  const { file, passed } = named === undefined ? findConfig(resolve(from)) : namedConfig(resolve(from, named));
  for (const each of passed) say(passedOver(each));
  if (file === undefined) return { config: {}, directory: from };
  if (given['safe'] && !isData(file)) throw configIsCode(file);
  say(`Config file: ${visible(file)}`);
  return { config: checkConfig((await readConfig(file)) ?? {}, file), file, directory: dirname(file) };
}

/** What the user names is taken as it is. */
function namedConfig(file: string): FoundConfig {
  if (!existsSync(file) || statSync(file).isDirectory()) throw configMissing(file);
  return { file, passed: [] };
}

function passedOver({ file, reason }: FoundConfig['passed'][number]): string {
  return visible(`The config file ${file} was not read: ${reason}. If you trust it, give --config ${shellWord(file)}`);
}

async function readConfig(file: string): Promise<unknown> {
  const loader = lilconfig('seaworthy', {
    loaders: {
      ...Object.fromEntries(programEndings.map((ending) => [ending, loadModule])),
      '.json': (_, text) => parseJson(text),
      '.yaml': (_, text) => parseYaml(text),
      '.yml': (_, text) => parseYaml(text),
    },
    cache: false,
  });
  try {
    requireFile(file);
    if (statSync(file).size > largest) throw new UnreadableFile(`it is larger than ${sizeText(largest)}`);
    return (await loader.load(file))?.config;
  } catch (error) {
    throw configUnreadable(file, isData(file) ? withoutContent(error) : error);
  }
}

function isData(file: string): boolean {
  return /\.(?:json|ya?ml)$/.test(file);
}

async function loadModule(path: string): Promise<unknown> {
  const { default: config } = await importModule(path);
  if (config === undefined) throw new Error('it has no default export');
  return config;
}

/** Bytes of the largest config file. */
const largest = 4 * 1024 * 1024;

function configMissing(file: string): UsageError {
  return new UsageError('SW_CONFIG_MISSING', {
    received: `there is no config file ${file}`,
    valid: `the path of a file that ends in ${configNames.map(extname).join(', ')}`,
    next: 'correct the path after --config, or leave --config out to search from here up to the root of the repository',
  });
}

function configIsCode(file: string): UsageError {
  return new UsageError('SW_CONFIG_UNSAFE', {
    received: `--safe was given, and the config file ${file} is a program`,
    valid: 'with --safe a config file in JSON or YAML',
    next: 'read the file; then leave --safe out, or give a file of your own with --config',
  });
}

function configUnreadable(file: string, cause: unknown): UsageError {
  return new UsageError(
    'SW_CONFIG_UNREADABLE',
    {
      received: `the config file ${file} cannot be read: ${messageOf(cause)}`,
      valid: 'a TypeScript or JavaScript module with a default export, or JSON, or YAML',
      next: isData(file)
        ? 'correct it at that place'
        : `correct it; node ${shellWord(file)} shows the place of an error`,
    },
    { cause },
  );
}

/** What a parser says without what it quotes: that may be secret. */
function withoutContent(cause: unknown): Error {
  const message = messageOf(cause).replaceAll(/(?:\.{3})?"[^]*"(?:\.{3})?|!<[^>]*>/g, '…');
  return new Error(message, { cause });
}

/** Compiled once, when the first config is read. That it is a schema is tested: to look costs more than to compile it. */
let isConfig: ValidateFunction | undefined;

/**
 * The same value as a config.
 *
 * @param file - its path, or what else it is called, for the error
 * @throws UsageError naming the place, what stands there, and what may
 */
export function checkConfig(value: unknown, file: string): Config {
  isConfig ??= new Ajv2020({
    allowUnionTypes: true,
    verbose: true,
    validateSchema: false,
    code: { optimize: false },
  }).compile(configSchema());
  if (isConfig(value)) return value as Config;
  throw invalid(file, isConfig.errors?.at(-1));
}

function invalid(file: string, error: ErrorObject | undefined): UsageError {
  const place = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const shown = shownPath(file);
  if (error?.keyword === 'additionalProperties') {
    return unknownKey(shown, place, (error.params as { additionalProperty: string }).additionalProperty);
  }
  return new UsageError('SW_CONFIG_INVALID', {
    received: `${shown}: ${place === '' ? 'the config' : place} cannot be ${shownValue(place, error)}`,
    valid: place === '' ? 'an object with the options as keys' : validAt(place, error),
    next: `correct ${place === '' ? 'the file' : `"${place}"`}; docs/options.md of the package explains every key`,
  });
}

function unknownKey(file: string, place: string, key: string): UsageError {
  const keys = keysAt(place);
  const suggestion = didYouMean(nearest(key, keys));
  const path = place === '' ? key : `${place}.${key}`;
  return new UsageError('SW_CONFIG_INVALID', {
    received: `${file}: there is no key "${path}"`,
    valid: keys.join(', '),
    next: suggestion ?? sectionOf(key) ?? 'remove the key, or correct it',
  });
}

function keysAt(place: string): readonly string[] {
  const section = sectionNamed(place);
  const options = section ? ['url', ...namesOf(section)] : namesOf(sharedOptions);
  return place === '' ? [...options, ...Object.keys(configSections)] : options;
}

function sectionNamed(name: string | undefined): Options | undefined {
  return Object.entries(configSections).find(([section]) => section === name)?.[1];
}

function namesOf(options: Readonly<Record<string, { readonly commandLineOnly?: boolean }>>): readonly string[] {
  return Object.keys(options).filter((name) => options[name]?.commandLineOnly !== true);
}

/** Where a key at the top belongs into a section, or on the command line. */
function sectionOf(key: string): string | undefined {
  const all = Object.entries(configSections).filter(([, options]) => key === 'url' || key in options);
  // What only a search takes belongs there; all else it takes from the sections of the others.
  const others = all.filter(([name]) => name !== 'fuzz');
  const sections = others.length > 0 ? others : all;
  if (sections.length > 0 && !(key in sharedOptions))
    return `write it under ${sections.map(([name]) => `"${name}"`).join(' or ')}`;
  const option = key in sharedOptions ? sharedOptions[key as keyof typeof sharedOptions] : undefined;
  return option === undefined ? undefined : `${option.flag} can only be given on the command line`;
}

function shownValue(place: string, error: ErrorObject | undefined): string {
  const isOpen = optionAt(place) !== undefined && !place.split('.').some((part) => confided.has(part));
  if (isOpen) return JSON.stringify(error?.data) ?? 'nothing';
  return `this ${Array.isArray(error?.data) ? 'list' : typeof error?.data}`;
}

/** Keys of what may be secret, or hold it. */
const confided: ReadonlySet<string> = new Set(
  'secret token header env url service probe recover emit catcher start reset'.split(' '),
);

function validAt(place: string, error: ErrorObject | undefined): string {
  return optionAt(place)?.kind.valid ?? error?.message?.replace(/^must be /, 'a ') ?? 'another form';
}

function optionAt(place: string): Option<unknown> | undefined {
  const [first, ...rest] = place.split('.');
  const section = sectionNamed(first);
  const options: Options = section ?? sharedOptions;
  const name = (section ? rest : [first ?? '', ...rest]).find((part) => part in options);
  return name === undefined ? undefined : options[name];
}

/** The formats of CommonJS, and what the same file is called as an ES module. */
const asModule: Readonly<Record<string, string>> = { commonjs: 'module', 'commonjs-typescript': 'module-typescript' };

/** A line that only an ES module may hold. */
const moduleLine = /^\s*(?:import\b(?!\s*\()|export\b)/m;

/**
 * Imports a module of the user's, in whatever package it lies: `npm init` writes `"type": "commonjs"`, and Node then takes no
 * `import` and no `export`. A file that holds either is meant as an ES module.
 *
 * @param path - of a TypeScript or JavaScript file
 * @throws whatever the module throws
 * @example
 * const { default: config } = await importModule('/project/seaworthy.config.ts');
 */
async function importModule(path: string): Promise<{ readonly default?: unknown }> {
  const hooks = registerHooks({
    load: (url, context, next) => {
      const format = asModule[context.format ?? ''];
      return format !== undefined && isModule(url) ? next(url, { ...context, format }) : next(url, context);
    },
  });
  try {
    return (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  } finally {
    hooks.deregister();
  }
}

/** Packages say of themselves what they are. */
function isModule(url: string): boolean {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return false;
  return moduleLine.test(readFileSync(fileURLToPath(url), 'utf8'));
}
