import { integerKind, switchKind, textKind, pathKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/sharedOptions.ts';
import { shippedContracts } from '../../../spec/shippedContracts.ts';
import { option } from '../../options/option.ts';
import type { Command } from '../command.ts';

const { openapi, seed } = sharedOptions;

/** What names a contract. */
const contractNames = `${shippedContracts.join(', ')}, or the path of a contract.yaml (default: tracking)`;

/** The secret that sample deliveries are signed with. */
export const signingSecret = option({
  flag: '--secret',
  kind: textKind('<secret>', 'any text but the empty one'),
  group: 'Target',
  description: 'sign with this secret',
  environment: 'SEAWORTHY_SECRET',
  defaultText: 'none: not signed',
});

/** What `seaworthy contract show` takes. */
export const showOptions = {
  event: option({
    flag: '--event',
    kind: textKind('<name>', 'the name of an event, * for any characters'),
    group: 'Cases',
    description: 'the event to show, * for any characters: one delivery of each that matches',
    defaultText: 'the first event of the contract',
  }),
  count: option({
    flag: '--count',
    kind: integerKind(1, 100_000),
    group: 'Cases',
    description: 'how many deliveries of each event',
    default: 1,
  }),
  seed: option({
    ...seed,
    description: 'make the same bodies and ids again; times and signatures are of now',
    defaultText: 'random',
  }),
  secret: signingSecret,
  ndjson: option({
    flag: '--ndjson',
    kind: switchKind,
    group: 'Reports',
    description: 'one JSON object a line: event, id, method, headers, body (a text, to be sent as it is)',
    default: false,
  }),
  openapi,
} as const;

/** What `seaworthy contract check` takes. */
export const checkOptions = {
  openapi: sharedOptions.openapi,
  json: option({
    flag: '--json',
    kind: switchKind,
    group: 'Reports',
    description: 'write it as JSON',
    default: false,
  }),
} as const;

/** What `seaworthy contract init` takes. */
export const initOptions = {
  output: option({
    flag: '--output',
    short: '-o',
    kind: pathKind,
    group: 'Reports',
    description: 'write the draft to this file, which must not exist',
    defaultText: 'standard output',
  }),
} as const;

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
  run: async (input) => (await import('./check/run.ts')).checkContract(input),
};

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
  run: async (input) => (await import('./show/run.ts')).showDeliveries(input),
};

/** `seaworthy contract init <openapi-file>` */
export const initCommand: Command = {
  name: 'contract init',
  summary: 'a draft of a contract.yaml from an OpenAPI document',
  description:
    'Reads the webhooks of an OpenAPI document (3.1, or x-webhooks of 3.0), and drafts a contract.yaml: where deliveries name their event and id, how they are signed, which statuses accept them. What the document does not say is guessed; every guess is marked with a comment that says why. Correct the draft, then look at it with contract check.',
  argument: {
    name: 'openapi-file',
    description: 'the OpenAPI document, YAML or JSON',
    mistakenFor: ['--openapi', '--file'],
  },
  options: initOptions,
  examples: [
    ['seaworthy contract init api.yaml', 'the draft, on standard output'],
    ['seaworthy contract init api.yaml -o contract.yaml', 'the draft in a new file'],
  ],
  exitCodes: [
    [0, 'drafted'],
    [2, 'the document cannot be used, the file is there already, or the command was used wrongly'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./init/run.ts')).draftContract(input),
};
