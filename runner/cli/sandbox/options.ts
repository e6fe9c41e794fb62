import { durationKind, pathKind, scalar, several, switchKind, textKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/options.ts';
import { option } from '../../options/option.ts';
import { serviceOptions } from '../../options/serviceOptions.ts';
import { listenOptions } from '../listenOptions.ts';

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
    description: 'how long to wait before retry 1, 2, ...; the last one applies to all that follow',
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
