import type { Intensity } from '../engine/plan.ts';
import { fuzzOptions } from './fuzzOptions.ts';
import { sharedOptions } from './sharedOptions.ts';
import { type Options } from './option.ts';
import { receiverOptions } from './receiverOptions.ts';
import { serviceOptions } from './serviceOptions.ts';

/** What every command that tests something takes; docs/options.md explains each. */
export interface SharedConfig {
  /** `json=report.json` and the like. Relative paths are relative to the config file, here as everywhere in it. */
  readonly report?: string | readonly string[];
  /** Runs that stay in `.seaworthy/runs`. Default: 20. */
  readonly keepRuns?: number;
  readonly only?: string | readonly string[];
  readonly skip?: string | readonly string[];
  readonly require?: string | readonly string[];
  /** The path of a list of known failures. */
  readonly expectFailures?: string;
  readonly intensity?: Intensity;
  readonly seed?: number;
  /** `5m`, or a number of milliseconds. */
  readonly time?: string | number;
  readonly bail?: boolean;
  readonly concurrency?: number;
  /** Deliveries per second. */
  readonly rate?: number;
  /** `10s`, or a number of milliseconds. */
  readonly timeout?: string | number;
  /** `2MiB`, or a number of bytes. */
  readonly maxAnswer?: string | number;
  /** `1s`, or a number of milliseconds. */
  readonly settle?: string | number;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly reset?: string;
  readonly strict?: boolean;
  /** A contract that ships with the kit, or the path of a `contract.yaml`. Default: `tracking`. */
  readonly contract?: string;
  /** The OpenAPI document of the events. Default: what the contract names. */
  readonly openapi?: string;
  /** Assumptions by their key, or `@` and the path of what `--learn` wrote. Those of the command line are added to them. */
  readonly assume?: string | readonly string[] | Readonly<Record<string, string | number | boolean>>;
}

/** How the kit starts the target itself, so that it may kill, pause and restart it. */
export interface ProcessConfig {
  /** A shell command that runs the target. */
  readonly start?: string;
  /** Or an image to run it from, and the port that it listens on inside. */
  readonly image?: string;
  readonly port?: number;
  /** Its environment, by the names of the variables. */
  readonly env?: Readonly<Record<string, string | number | boolean>>;
}

/** What `seaworthy receiver` takes; a shared option given here goes before the same one at the top. */
export interface ReceiverConfig extends SharedConfig, ProcessConfig {
  readonly url?: string;
  readonly secret?: string | readonly string[];
  readonly probe?: string;
  readonly events?: string | readonly string[];
  /** `name: value`. */
  readonly header?: string | readonly string[];
  /** The name of the variable in the receiver's environment that holds its secret. */
  readonly secretEnv?: string;
  /** IP addresses of this machine. */
  readonly published?: string | readonly string[];
  /** `host:port`. */
  readonly apiListen?: string;
  /** A URL, or a shell command. */
  readonly recover?: string;
}

/** What `seaworthy service` takes; a shared option given here goes before the same one at the top. */
export interface ServiceConfig extends SharedConfig, ProcessConfig {
  /** The base address. */
  readonly url?: string;
  readonly token?: string;
  readonly emit?: string;
  /** `ISSUER:NUMBER`. */
  readonly trackable?: string | readonly string[];
  readonly untrackable?: string | readonly string[];
  readonly catcher?: string;
  /** `host:port`. */
  readonly catcherListen?: string;
  /** `60s`, or a number of milliseconds. */
  readonly retryWindow?: string | number;
  readonly learn?: string;
  readonly maxDepth?: number;
  readonly maxEntries?: number;
  readonly maxPages?: number;
}

/**
 * What `seaworthy fuzz` takes beside what stands under `receiver` or `service`; what is given here goes before it. `only`,
 * `skip`, `require`, `report` and `expectFailures` count for a search only where they stand here.
 */
export interface FuzzConfig extends Omit<ReceiverConfig & ServiceConfig, 'intensity'> {
  /** The address of a receiver. */
  readonly url?: string;
  /** Or the base address of a service. */
  readonly service?: string;
  /** `60s`, or a number of milliseconds. */
  readonly time?: string | number;
  readonly runs?: number;
  readonly untilFailure?: boolean;
  readonly feedback?: boolean;
  readonly corpus?: string;
}

/** What a `seaworthy.config.ts` exports, or one with another ending holds. */
export interface Config extends SharedConfig {
  readonly $schema?: string;
  readonly receiver?: ReceiverConfig;
  readonly service?: ServiceConfig;
  readonly fuzz?: FuzzConfig;
}

/**
 * Gives a config file its types. Returns what it is given.
 *
 * @example
 * import { defineConfig } from 'seaworthy';
 *
 * export default defineConfig({
 *   intensity: 'thorough',
 *   receiver: { url: 'http://localhost:3000/hooks', probe: 'http://localhost:3000/effects/{id}' },
 * });
 */
export function defineConfig(config: Config): Config {
  return config;
}

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
