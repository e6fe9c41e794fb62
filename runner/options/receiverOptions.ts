import { isIP } from 'node:net';

import { hiddenHeaderTexts } from '../secrets/standIns.ts';
import { processOptions, variableKind } from './processOptions.ts';
import {
  commaListKind,
  headersKind,
  urlOrCommandKind,
  textsKind,
  type OptionKind,
  BadValue,
  listenKind,
} from './optionKinds.ts';
import { isCommand, sharedOptions } from './sharedOptions.ts';
import { type Settings, option } from './option.ts';

const texts = commaListKind('<address,...>', 'IP addresses with commas between them, such as 127.0.0.1,127.0.0.3');

/** IP addresses with commas between them, and repeatable. */
const addressesKind: OptionKind<readonly string[]> = {
  ...texts,
  read: (given) => {
    const addresses = texts.read(given);
    const wrong = addresses.find((address) => isIP(address) === 0);
    if (wrong !== undefined) throw new BadValue(wrong, texts.valid);
    return [...new Set(addresses)];
  },
};

/** What `seaworthy receiver` takes. */
export const receiverOptions = {
  secret: option({
    flag: '--secret',
    kind: textsKind('<secret>', 'the secret as the receiver has it, not empty'),
    group: 'Target',
    description:
      'the webhook secret that the receiver verifies with; repeat it for rotation: each must be accepted. Without it the signature checks are not observable',
    default: [],
    defaultText: 'none',
    environment: 'SEAWORTHY_SECRET',
  }),
  probe: option({
    flag: '--probe',
    kind: urlOrCommandKind('a URL (http://...) or the path of one at the receiver, with {id}, or a shell command'),
    group: 'Target',
    description:
      'counts how often a notification took effect: a URL with {id} (or its path at the receiver) that answers {"count": n}, or a shell command that reads ids and prints "<id> <count>" lines. Without it the effect checks are not observable',
    defaultText: 'none',
    runs: (text) => !isProbePath(text) && isCommand(text),
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
    description:
      'a custom header that the webhook is configured with; $SEAWORTHY_HEADER_<NAME> stands for its value in everything that is printed or saved',
    default: [],
    defaultText: 'none',
    hidden: hiddenHeaderTexts,
  }),
  ...processOptions,
  secretEnv: option({
    flag: '--secret-env',
    kind: variableKind,
    group: 'Target',
    description:
      'the environment variable from which the receiver takes its secret, if --start or --image runs it: the kit sets it to the first --secret, and then starts the receiver once without it and once with an empty one. Without it that is not observable',
    defaultText: 'none',
  }),
  published: option({
    flag: '--published',
    kind: addressesKind,
    group: 'Target',
    description:
      'the sender addresses that the receiver lets in: the kit sends from the first one, and from other loopback addresses it sends what must be refused. Without it the source checks are not observable',
    default: [],
    defaultText: 'none',
  }),
  apiListen: option({
    flag: '--api-listen',
    kind: listenKind,
    group: 'Target',
    description:
      "where the kit acts as the service's API (it accepts any key); configure the receiver with this address. The kit then sees the receiver recover from an outage, and read the sender addresses",
    defaultText: 'none',
  }),
  recover: option({
    flag: '--recover',
    kind: urlOrCommandKind('a URL (http://...), or a shell command'),
    group: 'Target',
    description:
      'starts the recovery from an outage, if the receiver does not recover by itself: a URL that gets a POST, or a shell command; needs --api-listen',
    defaultText: 'none',
    runs: isCommand,
  }),
  ...sharedOptions,
} as const;

/** The values of `seaworthy receiver`'s options. */
export type ReceiverSettings = Settings<typeof receiverOptions>;

/** Whether a probe is given as a path with `{id}`: nobody knows the port of a target that gets one when it is started. */
export function isProbePath(probe: string): boolean {
  return /^\/\S*\{id\}\S*$/.test(probe);
}
