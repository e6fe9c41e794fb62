import { option } from '../../options/option.ts';
import { headersKind, integerKind, pathKind, switchKind } from '../../options/optionKinds.ts';
import { durationKind } from '../../options/measureKinds.ts';
import { sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';
import { signingSecret } from '../contract/commands.ts';

const { allowRemote, ca, contract, insecure, openapi, seed } = sharedOptions;

/** What `seaworthy trigger` takes. */
export const triggerOptions = {
  secret: signingSecret,
  header: option({
    flag: '--header',
    kind: headersKind,
    group: 'Target',
    description: 'a custom header of each delivery; repeat it for more',
    default: [],
    defaultText: 'none',
  }),
  data: option({
    flag: '--data',
    mistakenFor: ['--body', '--payload'],
    kind: pathKind,
    group: 'Cases',
    description: 'send the bytes of this file as the body, instead of a generated one',
    defaultText: 'generated',
  }),
  repeat: option({
    flag: '--repeat',
    kind: integerKind(0, 1000),
    group: 'Cases',
    description: 'redeliver it so many times, one after the other',
    default: 0,
  }),
  copies: option({
    flag: '--copies',
    kind: integerKind(1, 100),
    group: 'Cases',
    description: 'send so many copies of it at the same moment, each time',
    default: 1,
  }),
  tamper: option({
    flag: '--tamper',
    kind: switchKind,
    group: 'Cases',
    description: 'add a space to the body after it was signed: the receiver has to refuse it',
    default: false,
  }),
  seed: option({
    ...seed,
    description: 'make the same body and id again; times and signatures are of now',
    defaultText: 'random',
  }),
  timeout: option({
    flag: '--timeout',
    kind: durationKind,
    group: 'Pace',
    description: 'how long to wait for an answer',
    default: 10_000,
    defaultText: '10s',
  }),
  ca,
  insecure,
  allowRemote,
  contract,
  openapi,
} as const;

/** `seaworthy trigger <url> [event]` */
export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'send one notification to a receiver, signed',
  description:
    'Sends a notification of an event as the contract describes it, with a generated body or with yours, and shows each answer. With a secret it is signed, anew for each redelivery where the contract signs a time.',
  argument: { name: 'url', description: 'where deliveries go, http or https', mistakenFor: ['--url'] },
  second: { name: 'event', description: 'the event, * for any characters. Default: the first event of the contract' },
  options: triggerOptions,
  examples: [
    ['seaworthy trigger http://localhost:3000/hooks', 'one notification'],
    ['seaworthy trigger http://localhost:3000/hooks invoice.paid --contract stripe', 'one of this event'],
    ['seaworthy trigger http://localhost:3000/hooks --repeat 2', 'a notification, then two redeliveries of it'],
    ['seaworthy trigger http://localhost:3000/hooks --tamper', 'one that the receiver has to refuse'],
  ],
  exitCodes: [
    [0, 'every delivery was accepted; with --tamper, every delivery was refused (4xx)'],
    [1, 'a delivery was refused; with --tamper, one was accepted'],
    [2, 'the command was used wrongly, or the contract has no such event'],
    [3, 'a delivery was not answered; with --tamper, one was answered with neither acceptance nor 4xx, or with 429'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).trigger(input),
};
