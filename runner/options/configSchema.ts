import { fuzzOptions } from './fuzzOptions.ts';
import { sharedOptions } from './options.ts';
import { receiverOptions } from './receiverOptions.ts';
import { serviceOptions } from './serviceOptions.ts';
import type { Options } from './options.ts';

/** The sections of a config file that hold what one command takes, by the command's name. */
export const configSections = {
  receiver: receiverOptions,
  service: serviceOptions,
  fuzz: fuzzOptions,
} as const satisfies Record<string, Options>;

/**
 * JSON Schema 2020-12 of a config file: what all commands share at the top, what one command takes under its name.
 * Made from the options, so that an option cannot be forgotten here.
 */
export function configSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of seaworthy',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...propertiesOf(sharedOptions),
      ...Object.fromEntries(Object.entries(configSections).map(([name, options]) => [name, section(options)])),
    },
  };
}

function section(options: Options): Record<string, unknown> {
  const url = { type: 'string', description: 'the address of the target' };
  return { type: 'object', additionalProperties: false, properties: { url, ...propertiesOf(options) } };
}

function propertiesOf(options: Options): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, option]) => option.commandLineOnly !== true)
      .map(([name, option]) => [name, { ...option.kind.schema, description: option.description }]),
  );
}
