import { option } from '../../options/option.ts';
import { pathKind, scalar, several, switchKind, textKind } from '../../options/optionKinds.ts';
import { durationKind } from '../../options/measureKinds.ts';
import { listenOptions, sharedOptions } from '../../options/sharedOptions.ts';
import { serviceOptions } from '../../options/serviceOptions.ts';
import type { Command } from '../command.ts';

const speedKind = scalar({
  placeholder: '<n>',
  valid: 'a number above 0',
  schema: { type: 'number' },
  read: (text) => (/^\d*\.?\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
});

const durationsKind = several({
  placeholder: '<duration,...>',
  valid: 'durations with commas between them, such as 1s,5s,30s',
  read: (text) => {
    try {
      return text.split(',').map((part) => durationKind.read([part]));
    } catch {
      return undefined;
    }
  },
});

/** What `seaworthy sandbox` takes. */
export const sandboxOptions = {
  ...listenOptions(4010),
  token: option({
    ...serviceOptions.token,
    group: 'Configuration',
    description: 'the API key that the service asks for',
    defaultText: 'random, always printed',
  }),
  database: option({
    flag: '--database',
    mistakenFor: ['--db'],
    kind: pathKind,
    group: 'Configuration',
    description: 'keep all data in this file, so that the next sandbox continues with it',
    defaultText: 'a temporary one',
  }),
  allowRemote: option({
    ...sharedOptions.allowRemote,
    group: 'Configuration',
    description: 'also deliver to other machines; never to link-local addresses and metadata services',
  }),
  receiver: option({
    flag: '--receiver',
    kind: switchKind,
    group: 'Configuration',
    description: 'also run the reference receiver, registered as a webhook for every event',
    default: false,
  }),
  speed: option({
    flag: '--speed',
    kind: speedKind,
    group: 'Pace',
    description: 'how many seconds of a voyage pass in one second; a voyage takes 40 days',
    default: 1,
  }),
  backoff: option({
    flag: '--backoff',
    kind: durationsKind,
    group: 'Pace',
    description:
      'how long to wait before retry 1, 2, ..., give or take a fifth; the last one applies to all that follow',
    default: [],
    defaultText: '1s,5s,30s,2m,10m,30m,1h,2h,4h',
  }),
  timeout: option({
    flag: '--timeout',
    kind: durationKind,
    group: 'Pace',
    description: 'how long to wait for the answer to an attempt',
    default: 10_000,
    defaultText: '10s',
  }),
  fault: option({
    flag: '--fault',
    kind: textKind('<name>', 'the name of a fault'),
    group: 'Contract',
    description: 'give the service this one mistake; seaworthy requirements lists the faults of services',
    defaultText: 'none',
  }),
} as const;

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
