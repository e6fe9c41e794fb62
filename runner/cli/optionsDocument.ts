import { defaultText } from '../options/defaultText.ts';
import { searchOptions } from '../options/fuzzOptions.ts';
import { optionGroups, sharedOptions, type Option, type Options } from '../options/options.ts';
import { receiverOptions } from '../options/receiverOptions.ts';
import { reportOptions } from '../options/reportOptions.ts';
import { replayOptions } from '../options/replayOptions.ts';
import { serviceOptions } from '../options/serviceOptions.ts';
import { sandboxOptions } from './sandbox/options.ts';
import { mockOptions } from './mock/options.ts';
import { proxyOptions } from './proxy/options.ts';

/** docs/options.md: every option with its place in a config file, made from the options themselves. */
export function optionsDocument(): string {
  const shared = sectionsOf(sharedOptions, (name) => name);
  return `${[
    preamble,
    '## What `receiver` and `service` share',
    ...shared,
    '## `seaworthy receiver`',
    ...entries(own(receiverOptions), (name) => `receiver.${name}`),
    '## `seaworthy service`',
    'Of what both commands share, these have other defaults here, or say it of calls:',
    ...entries(changed(serviceOptions), (name) => name),
    'And of its own it has:',
    ...entries(own(serviceOptions), (name) => `service.${name}`),
    '## `seaworthy fuzz`',
    search,
    ...entries(searchOptions, (name) => `fuzz.${name}`),
    '## `seaworthy replay`',
    'What `receiver` takes for its cases, and `service` for its own, as far as it says where the target is and how it is reached, and beside it:',
    ...entries({ url: replayOptions.url, export: replayOptions.export }),
    '## `seaworthy report`',
    noConfig,
    ...entries(reportOptions),
    '## `seaworthy sandbox`',
    noConfig,
    ...entries(sandboxOptions),
    '## `seaworthy mock`',
    noConfig,
    ...entries(mockOptions),
    '## `seaworthy proxy`',
    noConfig,
    ...entries(proxyOptions),
  ].join('\n\n')}\n`;
}

const preamble = `# Options

This page is made from the options themselves (\`npm run docs\`).

A value on the command line goes before one in the environment, which goes before one in the config file, which goes
before the default. \`assume\` is put together key by key from all of them.

The config file is the nearest \`seaworthy.config.ts\`, \`.js\`, \`.json\` or \`.yaml\` from the working directory up to the
root of the repository, or the file that \`--config\` names. Its path is printed to standard error before it is read, also
with \`--list\`: a config file can run code.

- The root is the nearest folder with \`.git\`, else the nearest with \`package.json\`. Where there is neither, only the
  working directory is searched.
- A config file that somebody else could have written is not read: where it, or its folder, belongs to another user than
  you and root, or can be written by others (\`/tmp\`, a folder of a shared group), or where others may replace a folder
  above it (\`/tmp\` has the sticky bit, which prevents that). The same holds inside \`node_modules\`.
  A line on standard error then names it. If you trust it, give \`--config <file>\`: a file that you name is always read.

Paths in the config file are relative to it. What \`receiver\` and \`service\` share stands at its top, what only one of
them takes (and its \`url\`) under its name; what is shared may stand there as well, for that one alone:

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
  'What `receiver` takes for a search in a receiver, and `service` for one in a service (after `--service <base-url>`), but `--intensity`. In the config file all but `only`, `skip`, `report` and `expectFailures` counts that stands at its top and under the name of the kind of target; what stands under `fuzz` goes before it. Beside these:';

const noConfig = 'It reads no config file.';

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
  const { flag, kind, description, environment, commandLineOnly } = option;
  const shown = kind.placeholder === undefined ? flag : `${flag} ${kind.placeholder}`;
  const facts = [
    ...(kind.placeholder === undefined ? [] : [`takes ${kind.valid}${kind.repeatable ? ', repeatable' : ''}`]),
    ...(environment === undefined ? [] : [`environment: \`${environment}\`${kind.repeatable ? ', one a line' : ''}`]),
    ...(key === undefined ? [] : [`config: ${commandLineOnly === true ? 'not there' : `\`${key}\``}`]),
    ...defaultFact(option),
  ];
  const lines = facts.map((fact) => `\n  - ${escaped(fact)}`);
  return `- **\`${shown}\`**: ${escaped(description)}${lines.join('')}`;
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
