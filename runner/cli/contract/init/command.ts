import type { Command } from '../../command.ts';
import { initOptions } from '../options.ts';

/** `seaworthy contract init <openapi-file>` */
export const initCommand: Command = {
  name: 'contract init',
  summary: 'a draft of a contract.yaml from an OpenAPI document',
  description:
    'Reads the webhooks of an OpenAPI document (3.1, or x-webhooks of 3.0), and drafts a contract.yaml: where deliveries name their event and id, how they are signed, which statuses accept them. What the document does not say is guessed; every guess is marked with a comment that says why. Correct the draft, then look at it with contract check.',
  argument: {
    name: 'openapi-file',
    description: 'the OpenAPI document, YAML or JSON',
    mistakenFor: ['--openapi', '--file'],
  },
  options: initOptions,
  examples: [
    ['seaworthy contract init api.yaml', 'the draft, on standard output'],
    ['seaworthy contract init api.yaml -o contract.yaml', 'the draft in a new file'],
  ],
  exitCodes: [
    [0, 'drafted'],
    [2, 'the document cannot be used, the file is there already, or the command was used wrongly'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).draftContract(input),
};
