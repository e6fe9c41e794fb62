import { integerKind, switchKind, textKind } from '../../../options/optionKinds.ts';
import { option, sharedOptions } from '../../../options/options.ts';

const { openapi, seed } = sharedOptions;

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
  secret: option({
    flag: '--secret',
    kind: textKind('<secret>', 'any text but the empty one'),
    group: 'Target',
    description: 'sign with this secret',
    environment: 'SEAWORTHY_SECRET',
    defaultText: 'none: not signed',
  }),
  ndjson: option({
    flag: '--ndjson',
    kind: switchKind,
    group: 'Reports',
    description: 'one JSON object a line: event, id, method, headers, body (a text, to be sent as it is)',
    default: false,
  }),
  openapi,
} as const;
