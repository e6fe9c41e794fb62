import { switchKind } from '../../options/optionKinds.ts';
import { option } from '../../options/option.ts';
import type { Command } from '../command.ts';

/** What `seaworthy init` takes. */
export const projectInitOptions = {
  yes: option({
    flag: '--yes',
    short: '-y',
    kind: switchKind,
    group: 'Configuration',
    description: 'ask nothing: use what can be seen, and usual values for the rest',
    default: false,
  }),
} as const;

/** `seaworthy init` */
export const projectInitCommand: Command = {
  name: 'init',
  summary: 'write seaworthy.config.ts, and a test file or a CI workflow, for the project in this directory',
  description:
    'Looks at the project in this directory: its framework, how it starts, its port, the path that takes webhooks, where its secret comes from, its test runner and its CI. Asks only what it cannot see. Writes a config file with comments, and a test file if the project uses Vitest or node:test, else a workflow for its CI. It replaces no file: run twice, it changes nothing.',
  options: projectInitOptions,
  examples: [
    ['seaworthy init', 'look, ask, write'],
    ['seaworthy init --yes', 'look and write'],
  ],
  exitCodes: [
    [0, 'the files are there, whether or not they were there before'],
    [2, 'the command was used wrongly, or a file cannot be written'],
    [130, 'interrupted; nothing was written'],
  ],
  run: async (input) => (await import('./run.ts')).initProject(input),
};
