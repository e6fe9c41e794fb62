import type { Command } from '../command.ts';
import { listenCommandOptions } from './options.ts';

/** `seaworthy listen` */
export const listenCommand: Command = {
  name: 'listen',
  summary: 'catch deliveries, check each against the contract, show them',
  description:
    'Takes deliveries at an address of this machine, and says of each whether it is as the contract describes it: its shape, its signature with the reason why it does not verify, whether a redelivery is the same, and how long after the attempt before it came. Each delivery is a line here, and can be examined on a web page, which only this machine reaches. The answers can be chosen.',
  options: listenCommandOptions,
  examples: [
    ['seaworthy listen', 'at http://127.0.0.1:4012/, until q or Ctrl-C'],
    ['seaworthy listen --contract stripe --secret whsec_test', 'deliveries of Stripe, signed with this secret'],
    ['seaworthy listen --forward http://localhost:3000/hooks', 'between a service and your receiver'],
    ['seaworthy listen --record caught.ndjson', 'and then: seaworthy report caught.ndjson --report html=caught.html'],
    ["seaworthy listen --exec 'jq .data.id'", 'a command for each delivery'],
  ],
  exitCodes: [
    [0, 'ended by q or Ctrl-C; nothing broke the contract'],
    [1, 'ended by q or Ctrl-C; a delivery broke it'],
    [2, 'the command was used wrongly, or the port is taken'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).listenFor(input),
};
