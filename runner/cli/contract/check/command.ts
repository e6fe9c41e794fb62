import type { Command } from '../../command.ts';
import { checkOptions, contractNames } from '../options.ts';

/** `seaworthy contract check <name|file>` */
export const checkCommand: Command = {
  name: 'contract check',
  summary: 'what is understood of a contract, and what is not',
  description:
    'Loads a contract and shows what is understood: its events, where deliveries carry what, how they are signed, what is required, what is not applicable, and what of its document was left out. Generates and signs a delivery of every event, and proves that its body is valid.',
  argument: {
    name: 'name|file',
    description: contractNames,
    mistakenFor: ['--contract', '--file'],
  },
  options: checkOptions,
  examples: [
    ['seaworthy contract check contract.yaml', 'what is understood of your own contract'],
    [
      'seaworthy contract check standard-webhooks --openapi api.yaml',
      'the events of a document, as the standard sends them',
    ],
  ],
  exitCodes: [
    [0, 'the contract can be used'],
    [2, 'it cannot, or the command was used wrongly'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).checkContract(input),
};
