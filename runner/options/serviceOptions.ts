import { usualDepth } from '../../spec/parseJson.ts';
import { processOptions } from './processOptions.ts';
import { integerKind, pathKind, textKind, listenKind, trackedKind, urlOrCommandKind } from './optionKinds.ts';
import { durationKind } from './measureKinds.ts';
import { type Settings, option } from './option.ts';
import { isCommand, sharedOptions } from './sharedOptions.ts';

/** What `seaworthy service` takes. */
export const serviceOptions = {
  token: option({
    flag: '--token',
    mistakenFor: ['--key', '--api-key', '--apikey'],
    kind: textKind('<key>', 'the API key, not empty'),
    group: 'Target',
    description: 'the API key of the service',
    defaultText: 'none',
    environment: 'SEAWORTHY_TOKEN',
  }),
  emit: option({
    flag: '--emit',
    kind: urlOrCommandKind('a URL (http://...), or a shell command'),
    group: 'Target',
    description:
      'makes the service raise one event: a URL (with --image also a path) gets POST {"event": "<name>"}, a shell command gets EVENT in its environment. Without it, only samples can be observed, and events that --trackable and --untrackable cause',
    defaultText: 'none',
    runs: isCommand,
  }),
  trackable: option({
    flag: '--trackable',
    kind: trackedKind,
    group: 'Target',
    description:
      'a number that the service finds, where its contract says that it tracks numbers; the kit uses several in turn',
    default: [],
    defaultText: 'none',
  }),
  untrackable: option({
    flag: '--untrackable',
    kind: trackedKind,
    group: 'Target',
    description: 'a number that the service does not find, where it tracks numbers',
    default: [],
    defaultText: 'none',
  }),
  catcher: option({
    flag: '--catcher',
    kind: textKind('<url>', 'an absolute http or https URL'),
    group: 'Target',
    description: "where the service reaches the kit's catcher, for example a tunnel",
    defaultText:
      "loopback, or host.docker.internal with --image; https, with the kit's own authority, if the base address is https",
  }),
  catcherListen: option({
    flag: '--catcher-listen',
    kind: listenKind,
    group: 'Target',
    description: 'where the catcher listens',
    defaultText: '127.0.0.1:0, or 0.0.0.0:0 with --image',
  }),
  ...processOptions,
  retryWindow: option({
    flag: '--retry-window',
    kind: durationKind,
    group: 'Pace',
    description: 'how long to wait for the last retry; what is still open then is inconclusive',
    default: 60_000,
    defaultText: '60s',
  }),
  learn: option({
    flag: '--learn',
    kind: pathKind,
    group: 'Contract',
    description:
      "write what the service does about the contract's gaps to this file, as assumptions for seaworthy receiver --assume @<file>",
    defaultText: 'none',
    writes: (text) => text,
  }),
  ...sharedOptions,
  maxAnswer: option({
    ...sharedOptions.maxAnswer,
    description: 'how much of one answer is read; what is cut off there is not judged, and said to be cut',
    default: 2 * 1024 * 1024,
    defaultText: '2MiB',
  }),
  maxDepth: option({
    flag: '--max-depth',
    kind: integerKind(1, 2000),
    group: 'Pace',
    description: 'how deeply the values of an answer may nest to be read',
    default: usualDepth,
  }),
  maxEntries: option({
    flag: '--max-entries',
    kind: integerKind(1, 1_000_000),
    group: 'Pace',
    description: 'how many entries of a list are read, over all its pages',
    default: 10_000,
  }),
  maxPages: option({
    flag: '--max-pages',
    kind: integerKind(1, 100_000),
    group: 'Pace',
    description: 'how many pages of a list are read',
    default: 100,
  }),
  concurrency: option({ ...sharedOptions.concurrency, description: 'calls in flight at most' }),
  rate: option({ ...sharedOptions.rate, description: 'calls per second at most' }),
  timeout: option({
    ...sharedOptions.timeout,
    description: 'how long to wait for the answer to a call',
    default: 30_000,
    defaultText: '30s',
  }),
  settle: option({
    ...sharedOptions.settle,
    description: 'how long to wait before an absence counts (no delivery, no retry), once for all checks',
    defaultText: 'the larger of 1s and 5 times the slowest delivery or retry seen',
  }),
} as const;

/** The values of `seaworthy service`'s options. */
export type ServiceSettings = Settings<typeof serviceOptions>;
