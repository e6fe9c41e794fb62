import { receiverOptions } from '../../options/receiverOptions.ts';
import { type Command, runExitCodes } from '../command.ts';

/** `seaworthy receiver <url>` */
export const receiverCommand: Command = {
  name: 'receiver',
  summary: 'test a webhook receiver against the contract',
  description:
    'Sends signed notifications to a webhook receiver, valid and hostile ones. Reports for each requirement of the contract whether it holds, and shows the smallest case of each failure.',
  argument: {
    name: 'url',
    description: 'where the receiver takes notifications (may stand in the config file)',
    mistakenFor: ['--url'],
  },
  options: receiverOptions,
  examples: [
    [
      "seaworthy receiver http://localhost:3000/hooks --secret s3cret --probe 'http://localhost:3000/effects/{id}'",
      'everything that a URL can show',
    ],
    [
      "seaworthy receiver http://localhost:3000/hooks --only 'VRF-*' --seed 42",
      'the signature checks, with the cases of an earlier run',
    ],
    [
      'seaworthy receiver http://localhost:3000/hooks --report terminal --report junit=junit.xml',
      'for people and for CI',
    ],
  ],
  exitCodes: runExitCodes,
  run: async (input) => (await import('./run.ts')).testReceiver(input),
};
