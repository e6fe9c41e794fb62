import { defaultText } from './defaultText.ts';
import { optionGroups, receiverOptions, sharedOptions } from './options.ts';
import type { Option, Options } from './options.ts';

/** docs/options.md: every option with its place in a config file, made from the options themselves. */
export function optionsDocument(): string {
  const groups = optionGroups.map((group) => {
    const options = Object.entries(receiverOptions).filter(([, option]) => option.group === group);
    return `## ${group}\n\n${options.map(([name, option]) => entry(name, option)).join('\n')}`;
  });
  return `${[preamble, ...groups].join('\n\n')}\n`;
}

const preamble = `# Options of \`seaworthy receiver\`

This page is made from the options themselves (\`npm run docs\`).

A value on the command line goes before one in the environment, which goes before one in the config file, which goes
before the default. \`assume\` is put together key by key from all of them.

The config file is the nearest \`seaworthy.config.ts\`, \`.js\`, \`.json\` or \`.yaml\` from the working directory upward,
or the file that \`--config\` names. Paths in it are relative to it. What several commands share stands at its top, what
only \`receiver\` takes (and its \`url\`) under \`receiver\`:

\`\`\`ts
import { defineConfig } from 'seaworthy';

export default defineConfig({
  intensity: 'thorough',
  receiver: {
    url: 'http://localhost:3000/hooks',
    probe: 'http://localhost:3000/effects/{id}',
  },
});
\`\`\``;

function entry(name: string, option: Option<unknown>): string {
  const { flag, kind, description, environment } = option;
  const shown = kind.placeholder === undefined ? flag : `${flag} ${kind.placeholder}`;
  const facts = [
    ...(kind.placeholder === undefined ? [] : [`takes ${kind.valid}${kind.repeatable ? ', repeatable' : ''}`]),
    ...(environment === undefined ? [] : [`environment: \`${environment}\`, one a line`]),
    `config: ${option.commandLineOnly === true ? 'not there' : `\`${keyOf(name)}\``}`,
    ...defaultFact(option),
  ];
  return `- **\`${shown}\`**: ${escaped(description)}\n${facts.map((fact) => `  - ${escaped(fact)}`).join('\n')}`;
}

function keyOf(name: string): string {
  return name in (sharedOptions satisfies Options) ? name : `receiver.${name}`;
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
