import { sharedOptions } from '../options/sharedOptions.ts';
import { defaultText, optionGroups, type Option, type Options } from '../options/option.ts';
import { searchOptions } from '../options/fuzzOptions.ts';
import { configNames } from '../options/findConfig.ts';
import { receiverOptions } from '../options/receiverOptions.ts';
import { replayOptions } from '../options/replayOptions.ts';
import { serviceOptions } from '../options/serviceOptions.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { flagsOf } from './program.ts';

/** docs/options.md: every option with its place in a config file, made from the options themselves. */
export function optionsDocument(): string {
  const shared = sectionsOf(sharedOptions, (name) => name);
  return `${[
    preamble,
    '## Options that `receiver` and `service` share',
    ...shared,
    '## `seaworthy receiver`',
    ...entries(own(receiverOptions), (name) => `receiver.${name}`),
    '## `seaworthy service`',
    'These shared options have another default here, or are about calls:',
    ...entries(changed(serviceOptions), (name) => name),
    '`service` also has:',
    ...entries(own(serviceOptions), (name) => `service.${name}`),
    '## `seaworthy fuzz`',
    search,
    ...entries(searchOptions, (name) => `fuzz.${name}`),
    '## `seaworthy replay`',
    'The options of `receiver` apply to its cases, and those of `service` to its own, as far as they say where the target is and how to reach it. `replay` also has:',
    ...entries({ url: replayOptions.url, export: replayOptions.export }),
    ...commands.flatMap(withoutConfig),
  ].join('\n\n')}\n`;
}

const preamble = `# Options

This page is generated from the options themselves (\`npm run docs\`).

A value on the command line takes precedence over the environment, then the config file, then the default. \`assume\` is
merged key by key from all of them.

The config file is the nearest \`seaworthy.config.ts\`, or one with another ending, from the working
directory up to the root of the repository, or the file that \`--config\` names. If a folder has several, the first counts in
this order: ${configNames.map((name) => `\`${name.slice('seaworthy.config'.length)}\``).join(', ')}.
The kit prints the path to standard error before it reads the file, also with \`--list\`, because a config file can run code.

- The root is the nearest folder with \`.git\`, else the nearest with \`package.json\`. If there is neither, the kit searches
  only the working directory.
- The kit does not read a config file that somebody else could have written: a file that belongs, or whose folder belongs,
  to a user other than you and root, or that others can write to (\`/tmp\`, a folder of a shared group) or replace with a folder
  above it, or that is inside \`node_modules\`. A line on standard error then names the file. If you trust it, pass \`--config <file>\`: the kit always
  reads a file that you name.

Paths in the config file are relative to it. Put the options that \`receiver\` and \`service\` share at the top, and those
that only one of them takes (and its \`url\`) under its name. A shared option under such a name applies to that command only:

\`\`\`ts
import { defineConfig } from 'seaworthy';

export default defineConfig({
  intensity: 'thorough',
  receiver: {
    url: 'http://localhost:3000/hooks',
    probe: 'http://localhost:3000/effects/{id}',
  },
  service: {
    url: 'http://localhost:4010/v2',
    emit: 'http://localhost:4010/emit',
    retryWindow: '5m',
  },
});
\`\`\``;

const search =
  'A search in a receiver takes the options of `receiver`, and a search in a service (after `--service <base-url>`) those of `service`, except `--intensity`. In the config file, options at the top and under `receiver` or `service` also apply to a search, except `only`, `skip`, `require`, `report` and `expectFailures`. Options under `fuzz` take precedence. `fuzz` also has:';

/** The commands that read a config file: each has a section of its own making. */
const withConfig: readonly string[] = ['receiver', 'service', 'fuzz', 'replay'];

function withoutConfig({ name, options }: Command): readonly string[] {
  if (withConfig.includes(name) || Object.keys(options).length === 0) return [];
  return [`## \`seaworthy ${name}\``, 'This command reads no config file.', ...entries(options)];
}

/** Makes the key of an option in a config file from its name. */
type KeyOf = (name: string) => string;

function sectionsOf(options: Options, keyOf: KeyOf): readonly string[] {
  return optionGroups.flatMap((group) => {
    const members = Object.entries(options).filter(([, option]) => option.group === group);
    return members.length === 0 ? [] : [`### ${group}`, ...entries(Object.fromEntries(members), keyOf)];
  });
}

/** The options that are not shared. */
function own(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in sharedOptions)));
}

/** The shared options of which this command says something else. */
function changed(options: Options): Options {
  const shared: Options = sharedOptions;
  return Object.fromEntries(
    Object.entries(options).filter(([name, option]) => name in shared && shared[name] !== option),
  );
}

/** One list of options; without `keyOf` they have no place in a config file. */
function entries(options: Options, keyOf?: KeyOf): readonly string[] {
  return [
    Object.entries(options)
      .map(([name, option]) => entry(option, keyOf?.(name)))
      .join('\n'),
  ];
}

function entry(option: Option<unknown>, key: string | undefined): string {
  const { kind, description, environment, commandLineOnly } = option;
  const facts = [
    ...(kind.placeholder === undefined ? [] : [`takes ${kind.valid}${kind.repeatable ? ', repeatable' : ''}`]),
    ...(environment === undefined ? [] : [`environment: \`${environment}\`${kind.repeatable ? ', one a line' : ''}`]),
    ...(key === undefined ? [] : [`config: ${commandLineOnly === true ? 'not there' : `\`${key}\``}`]),
    ...defaultFact(option),
  ];
  const lines = facts.map((fact) => `\n  - ${escaped(fact)}`);
  return `- **\`${flagsOf(option)}\`**: ${escaped(description)}${lines.join('')}`;
}

function defaultFact(option: Option<unknown>): readonly string[] {
  const text = defaultText(option);
  return text === undefined ? [] : [`default: ${text}`];
}

/** Outside code spans, what Markdown would take for markup. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[*<_]/g, '\\$&')))
    .join('');
}
