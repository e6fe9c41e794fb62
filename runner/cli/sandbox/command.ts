import type { Command } from '../command.ts';
import { sandboxOptions } from './options.ts';

/** `seaworthy sandbox` */
export const sandboxCommand: Command = {
  name: 'sandbox',
  summary: 'a tracking service on this machine, to develop a receiver against',
  description:
    'Runs the reference service: a tracking service that conforms to the contract, registers webhooks, simulates voyages, and sends signed notifications with retries. It delivers to addresses of this machine, by http or https. With --allow-remote it also delivers elsewhere, by https, but never to link-local addresses and metadata services. It prints one line for every attempt.',
  options: sandboxOptions,
  examples: [
    ['seaworthy sandbox', 'at http://127.0.0.1:4010/v2, until Ctrl-C'],
    ['seaworthy sandbox --receiver --speed 20000', 'with a receiver, and voyages that take three minutes'],
    ['seaworthy sandbox --backoff 100ms --fault follows-redirects', 'a service with a mistake, for seaworthy service'],
  ],
  exitCodes: [
    [0, 'ended by Ctrl-C'],
    [2, 'the command was used wrongly, or the port is taken'],
    [70, 'a bug of seaworthy itself'],
  ],
  tellsSecrets: true,
  run: async (input) => (await import('./run.ts')).runSandbox(input),
};
