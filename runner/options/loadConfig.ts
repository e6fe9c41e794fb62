import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { lilconfig } from 'lilconfig';

import { visible } from '../../reports/text/visible.ts';
import { parseYaml } from '../../spec/parseYaml.ts';
import { checkConfig } from './checkConfig.ts';
import type { Config } from './config.ts';
import { UsageError } from '../errors.ts';
import { configNames, findConfig, type FoundConfig } from './findConfig.ts';
import { shellWord } from './shellWord.ts';

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
 * @param say - hears which file is read, before any of its code runs, and which ones were passed over: a line each
 * @throws UsageError where it does not exist, cannot be read, or is not as it should be
 */
export async function loadConfig(
  from: string,
  named?: string,
  say: (line: string) => void = () => {},
): Promise<LoadedConfig> {
  const { file, passed } = named === undefined ? findConfig(resolve(from)) : namedConfig(resolve(from, named));
  for (const each of passed) say(passedOver(each));
  if (file === undefined) return { config: {}, directory: from };
  say(`Config file: ${visible(file)}`);
  return { config: checkConfig((await readConfig(file)) ?? {}, file), file, directory: dirname(file) };
}

/** What the user names is taken as it is. */
function namedConfig(file: string): FoundConfig {
  if (!existsSync(file)) throw configMissing(file);
  return { file, passed: [] };
}

function passedOver({ file, reason }: FoundConfig['passed'][number]): string {
  return visible(`The config file ${file} was not read: ${reason}. If you trust it, give --config ${shellWord(file)}`);
}

async function readConfig(file: string): Promise<unknown> {
  const loader = lilconfig('seaworthy', {
    loaders: { '.ts': loadModule, '.js': loadModule, '.mjs': loadModule, '.yaml': loadYaml, '.yml': loadYaml },
    cache: false,
  });
  try {
    return (await loader.load(file))?.config;
  } catch (error) {
    throw configUnreadable(file, error);
  }
}

async function loadModule(path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

function loadYaml(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

function configMissing(file: string): UsageError {
  return new UsageError('SW_CONFIG_MISSING', {
    received: `there is no config file ${file}`,
    valid: `the path of a ${configNames.join(', ')}, or of another file with such an ending`,
    next: 'correct the path after --config, or leave --config out to search from here up to the root of the repository',
  });
}

function configUnreadable(file: string, cause: unknown): UsageError {
  return new UsageError(
    'SW_CONFIG_UNREADABLE',
    {
      received: `the config file ${file} cannot be read: ${messageOf(cause)}`,
      valid: 'a TypeScript or JavaScript module with a default export, or JSON, or YAML',
      next: 'mend the file at the place named above',
    },
    { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
