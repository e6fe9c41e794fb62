import { integerKind, switchKind, textKind, pathKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/options.ts';
import { shippedContracts } from '../../../spec/shippedContracts.ts';
import { option } from '../../options/option.ts';

const { openapi, seed } = sharedOptions;

/** What names a contract. */
export const contractNames = `${shippedContracts.join(', ')}, or the path of a contract.yaml (default: tracking)`;

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
