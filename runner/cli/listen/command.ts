import { option } from '../../options/option.ts';
import { integerKind, pathKind, switchKind, textKind, textsKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';

const { allowRemote, assume, ca, contract, insecure, list, only, openapi, skip } = sharedOptions;

/** What `seaworthy listen` takes. */
export const listenCommandOptions = {
  port: option({
    flag: '--port',
    kind: integerKind(0, 65_535),
    group: 'Configuration',
    description: 'the port of 127.0.0.1 to listen on; 0 takes any free port',
    default: 4012,
  }),
  secret: option({
    flag: '--secret',
    kind: textsKind('<secret>', 'any text but the empty one'),
    group: 'Target',
    description: 'the secret that deliveries are signed with; with several, any of them may have signed one',
    environment: 'SEAWORTHY_SECRET',
    default: [],
    defaultText: 'a new one, which is printed',
  }),
  forward: option({
    flag: '--forward',
    kind: textKind('<url>', 'an http or https URL'),
    group: 'Target',
    description: 'pass each delivery on to this receiver, byte for byte, and answer as it does',
    defaultText: 'nothing is passed on',
  }),
  exec: option({
    flag: '--exec',
    kind: textKind('<command>', 'a shell command'),
    group: 'Target',
    description:
      'run this command for each delivery, one after the other: the body is its standard input, and SEAWORTHY_EVENT, SEAWORTHY_ID, SEAWORTHY_ATTEMPT and others are in its environment',
    defaultText: 'none',
  }),
  record: option({
    flag: '--record',
    kind: pathKind,
    group: 'Reports',
    description:
      'write a journal of all deliveries to this file, for seaworthy report; what the file held before is gone',
    defaultText: 'none',
  }),
  page: option({
    flag: '--no-page',
    kind: switchKind,
    group: 'Reports',
    description: 'serve no web page',
    default: true,
  }),
  only: option({ ...only, description: 'check only this, by check id or requirement id: caught/signature/*' }),
  skip: option({ ...skip, description: 'leave these checks out, by check id or requirement id' }),
  list: option({ ...list, description: 'show the checks and listen to nothing' }),
  ca,
  insecure,
  allowRemote,
  contract,
  openapi,
  assume,
} as const;

/** `seaworthy listen` */
export const listenCommand: Command = {
  name: 'listen',
  summary: 'catch deliveries, check each against the contract, show them',
  description:
    'Takes deliveries at an address of this machine, and says of each whether it is as the contract describes it: its shape, its signature with the reason why it does not verify, whether a redelivery is the same, and how long after the attempt before it came. Each delivery is a line here, and can be examined on a web page, which only this machine reaches. The answers can be chosen.',
  ifMore: 'for another port give --port <n>, and to pass deliveries on to a receiver --forward <url>',
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
