import type { Command } from '../../command.ts';
import { showOptions, contractNames } from '../options.ts';

/** `seaworthy contract show <name|file>` */
export const showCommand: Command = {
  name: 'contract show',
  summary: 'generated deliveries of an event, signed',
  description:
    'Prints deliveries as the contract describes them: method, headers and a generated body. With a secret they are signed, for exactly the bytes that are printed. Nothing is sent.',
  argument: {
    name: 'name|file',
    description: contractNames,
    mistakenFor: ['--contract', '--file'],
  },
  ifMore: 'to choose an event, give --event <name>',
  options: showOptions,
  examples: [
    ['seaworthy contract show stripe --event invoice.paid --secret whsec_test', 'one delivery, to read'],
    [
      "seaworthy contract show github --event '*' --ndjson --secret s3cret",
      'one of every event, one JSON object a line, for other programs',
    ],
  ],
  exitCodes: [
    [0, 'printed'],
    [2, 'the contract cannot be used, it has no such event, or the command was used wrongly'],
    [70, 'a bug of seaworthy itself'],
  ],
  tellsSecrets: true,
  run: async (input) => (await import('./run.ts')).showDeliveries(input),
};
