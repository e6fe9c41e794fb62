import { listenOptions, sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';

const { ca, insecure, allowRemote, contract, openapi } = sharedOptions;

/** What `seaworthy proxy` takes. */
export const proxyOptions = { ...listenOptions(4011), ca, insecure, allowRemote, contract, openapi } as const;

/** `seaworthy proxy <base-url>` */
export const proxyCommand: Command = {
  name: 'proxy',
  summary: 'a proxy in front of a service that shows what breaks the contract',
  description:
    'Stands between a client and a service, and passes everything on unchanged. Prism checks each request and each answer against the contract. The proxy shows and counts what breaks it. Only successful answers have to be as the contract declares them: the contract says little about refusals, so those are only noted.',
  argument: {
    name: 'base-url',
    description: 'the base address of the service',
    mistakenFor: ['--url', '--base-url'],
  },
  options: proxyOptions,
  examples: [
    ['seaworthy proxy http://localhost:3000/v2', 'at http://127.0.0.1:4011/v2, until Ctrl-C'],
    ['seaworthy proxy https://staging.example.com/v2 --allow-remote', 'in front of a remote service'],
  ],
  exitCodes: [
    [0, 'ended by Ctrl-C; nothing broke the contract'],
    [1, 'ended by Ctrl-C; something broke it'],
    [2, 'the command was used wrongly, or the port is taken'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).runProxy(input),
};
