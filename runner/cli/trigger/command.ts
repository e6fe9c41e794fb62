import type { Command } from '../command.ts';
import { triggerOptions } from './options.ts';

/** `seaworthy trigger <url> [event]` */
export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'send one notification to a receiver, signed',
  description:
    'Sends a notification of an event as the contract describes it, with a generated body or with yours, and shows each answer. With a secret it is signed, anew for each redelivery where the contract signs a time.',
  argument: { name: 'url', description: 'where deliveries go, http or https' },
  second: { name: 'event', description: 'the event, * for any characters. Default: the first event of the contract' },
  options: triggerOptions,
  examples: [
    ['seaworthy trigger http://localhost:3000/hooks', 'one notification'],
    ['seaworthy trigger http://localhost:3000/hooks invoice.paid --contract stripe', 'one of this event'],
    ['seaworthy trigger http://localhost:3000/hooks --repeat 2', 'a notification, then two redeliveries of it'],
    ['seaworthy trigger http://localhost:3000/hooks --tamper', 'one that the receiver has to refuse'],
  ],
  exitCodes: [
    [0, 'every delivery was accepted; with --tamper, every delivery was refused'],
    [1, 'a delivery was refused; with --tamper, one was accepted'],
    [2, 'the command was used wrongly, or the contract has no such event'],
    [3, 'a delivery was not answered'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).trigger(input),
};
