import { sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';

const { contract, openapi } = sharedOptions;

/** What `seaworthy explain` takes. */
export const explainOptions = { contract, openapi } as const;

/** `seaworthy explain <id>` */
export const explainCommand: Command = {
  name: 'explain',
  summary: 'what a requirement, check, gap, error code or exit code means',
  description:
    'Explains what stands in a report or an error: what is required and why, which checks prove it, how a failure is usually fixed, and what to do next.',
  argument: {
    name: 'id',
    description: 'a requirement, a check, a gap, an assumption, an error code or an exit code',
  },
  options: explainOptions,
  examples: [
    ['seaworthy explain VRF-3', 'a requirement, with its checks and the usual fixes'],
    ['seaworthy explain receiver/signature/forged', 'a check'],
    ['seaworthy explain SW_PROBE_UNUSABLE', 'an error code'],
    ['seaworthy explain 3', 'an exit code'],
  ],
  exitCodes: [
    [0, 'explained'],
    [2, 'there is nothing of this name, or the command was used wrongly'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).explain(input),
};
