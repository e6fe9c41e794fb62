import { commaListKind, headersKind, textKind, textsKind } from './optionKinds.ts';
import type { Settings } from './options.ts';
import { option, sharedOptions } from './options.ts';

/** What `seaworthy receiver` takes. */
export const receiverOptions = {
  secret: option({
    flag: '--secret',
    kind: textsKind('<secret>', 'the secret as the receiver was given it, not empty'),
    group: 'Target',
    description:
      'the webhook secret that the receiver was given; repeat it for rotation: each must be accepted. Without it the signature checks are not observable',
    default: [],
    defaultText: 'none',
    environment: 'SEAWORTHY_SECRET',
  }),
  probe: option({
    flag: '--probe',
    kind: textKind('<url or command>', 'a URL that holds {id}, or a shell command'),
    group: 'Target',
    description:
      'tells how often a notification took effect: a URL with {id} that answers {"count": n}, or a shell command that reads ids and prints "<id> <count>" lines. Without it the effect checks are not observable',
    defaultText: 'none',
  }),
  events: option({
    flag: '--events',
    kind: commaListKind('<pattern,...>', 'names of events with commas between them, * for any characters'),
    group: 'Target',
    description: 'the events that the receiver subscribes to',
    default: [],
    defaultText: 'all',
  }),
  header: option({
    flag: '--header',
    kind: headersKind,
    group: 'Target',
    description: 'a custom header that the webhook was configured with',
    default: [],
    defaultText: 'none',
  }),
  ...sharedOptions,
} as const;

/** The values of `seaworthy receiver`'s options. */
export type ReceiverSettings = Settings<typeof receiverOptions>;
