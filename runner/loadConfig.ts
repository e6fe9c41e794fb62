import { existsSync } from 'node:fs';
import { dirname, parse, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { lilconfig } from 'lilconfig';

import { parseYaml } from '../spec/parseYaml.ts';
import { checkConfig } from './checkConfig.ts';
import type { Config } from './config.ts';
import { UsageError } from './errors.ts';

/** The names of a config file, the first found counts. */
const configNames = ['ts', 'js', 'json', 'yaml'].map((extension) => `seaworthy.config.${extension}`);

/** A config that was read and found right, with the directory that its relative paths are relative to. */
export interface LoadedConfig {
  readonly config: Config;
  /** As the user would write it; nothing where there is no config file. */
  readonly file?: string;
  readonly directory: string;
}

/**
 * The config file named, else the nearest one from `from` upward, else an empty config.
 *
 * @throws UsageError where it does not exist, cannot be read, or is not as it should be
 */
export async function loadConfig(from: string, named?: string): Promise<LoadedConfig> {
  const file = named === undefined ? undefined : resolve(from, named);
  if (file !== undefined && !existsSync(file)) throw configMissing(file);
  const found = await readConfig(from, file);
  if (found === null) return { config: {}, directory: from };
  return {
    config: checkConfig(found.config ?? {}, found.filepath),
    file: found.filepath,
    directory: dirname(found.filepath),
  };
}

async function readConfig(
  from: string,
  file: string | undefined,
): Promise<{ config: unknown; filepath: string } | null> {
  const searcher = lilconfig('seaworthy', {
    searchPlaces: configNames,
    stopDir: parse(from).root,
    loaders: { '.ts': loadModule, '.js': loadModule, '.mjs': loadModule, '.yaml': loadYaml, '.yml': loadYaml },
    cache: false,
  });
  try {
    return file === undefined ? await searcher.search(from) : await searcher.load(file);
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
    next: 'correct the path after --config, or leave --config out to search from here upward',
  });
}

function configUnreadable(file: string | undefined, cause: unknown): UsageError {
  return new UsageError(
    'SW_CONFIG_UNREADABLE',
    {
      received: `the config file${file === undefined ? '' : ` ${file}`} cannot be read: ${messageOf(cause)}`,
      valid: 'a TypeScript or JavaScript module with a default export, or JSON, or YAML',
      next: 'mend the file at the place named above',
    },
    { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
