import { relative } from 'node:path';

import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import type { Config } from './config.ts';
import { configSchema, configSections } from './configSchema.ts';
import { UsageError } from '../errors.ts';
import { didYouMean, nearest } from './nearest.ts';
import { sharedOptions } from './options.ts';
import type { Option, Options } from './options.ts';

/**
 * The same value as a config.
 *
 * @param file - its path, for the error
 * @throws UsageError naming the place, what stands there, and what may
 */
export function checkConfig(value: unknown, file: string): Config {
  const validate = new Ajv2020({ allErrors: false, allowUnionTypes: true, verbose: true }).compile(configSchema());
  if (validate(value)) return value as Config;
  throw invalid(file, validate.errors?.at(-1));
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
    next: `correct ${place === '' ? 'the file' : `"${place}"`}; docs/options.md explains every key`,
  });
}

/** As short as it can be: relative where it is below the working directory. */
function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('../..') ? file : path;
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
  const secret = optionAt(place)?.environment !== undefined;
  return secret ? 'what it is' : (JSON.stringify(error?.data) ?? 'nothing');
}

function validAt(place: string, error: ErrorObject | undefined): string {
  return optionAt(place)?.kind.valid ?? error?.message ?? 'another form';
}

function optionAt(place: string): Option<unknown> | undefined {
  const [first, ...rest] = place.split('.');
  const section = sectionNamed(first);
  const options: Options = section ?? sharedOptions;
  const name = (section ? rest : [first ?? '', ...rest]).find((part) => part in options);
  return name === undefined ? undefined : options[name];
}
