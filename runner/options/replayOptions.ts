import { switchKind, textKind } from './optionKinds.ts';
import { exportOption, searchOptions } from './fuzzOptions.ts';
import { sharedOptions } from './sharedOptions.ts';
import { option, type Settings, optionsWithout } from './option.ts';
import { receiverOptions } from './receiverOptions.ts';
import { serviceOptions } from './serviceOptions.ts';

/** What of the options of a run is settled by a saved case, or means nothing for one case. */
const settled = [
  'report',
  'only',
  'skip',
  'require',
  'expectFailures',
  'list',
  'shard',
  'resume',
  'lastFailed',
  'keepRuns',
  'intensity',
  'seed',
  'time',
  'bail',
  'strict',
  'config',
  'safe',
  'learn',
] as const satisfies readonly (keyof typeof serviceOptions)[];

const where = {
  url: option({
    flag: '--url',
    kind: textKind('<url>', 'the http or https address of the target, as receiver, service and fuzz take it'),
    group: 'Target',
    description: 'where the target is now',
    defaultText: 'the address in the file, if it is loopback and no secret is given',
  }),
} as const;

/** What `seaworthy replay` takes for a case of a receiver: whatever is given anew counts instead of what the file holds. */
export const receiverReplayOptions = { ...where, ...optionsWithout(receiverOptions, settled) } as const;

/** The same for a case of a service. */
export const serviceReplayOptions = { ...where, ...optionsWithout(serviceOptions, settled) } as const;

const asInTheRun = { defaultText: 'as in the run' } as const;

/** All that `seaworthy replay` takes. What only one kind of case knows counts for cases of that kind. */
export const replayOptions = {
  ...receiverReplayOptions,
  ...serviceReplayOptions,
  trust: option({
    flag: '--trust',
    kind: switchKind,
    group: 'Target',
    description:
      'run the commands, use the addresses and read the files that the saved case names, and send secrets there; the kit shows them first. Use it only for files that you know, such as those of your own runs',
    default: false,
    commandLineOnly: true,
  }),
  config: sharedOptions.config,
  safe: sharedOptions.safe,
  concurrency: { ...receiverOptions.concurrency, ...asInTheRun, description: 'deliveries or calls in flight at most' },
  rate: { ...receiverOptions.rate, ...asInTheRun, description: 'deliveries or calls per second at most' },
  timeout: {
    ...receiverOptions.timeout,
    ...asInTheRun,
    description: 'how long to wait for the answer to a delivery or a call',
  },
  settle: { ...receiverOptions.settle, ...asInTheRun, description: 'how long to wait before an absence counts' },
  export: {
    ...exportOption,
    description:
      'write each case as a Vitest test (vitest) or as a shell script (curl), and try none; to a file or a folder, without a path beside the saved case',
  },
} as const;

/** The values of the options for a case of a receiver. */
export type ReceiverReplaySettings = Settings<typeof receiverReplayOptions>;

/** The values of the options for a case of a service. */
export type ServiceReplaySettings = Settings<typeof serviceReplayOptions>;

/** Options of a run that no saved case holds: they are settled by the case, mean nothing for it, or may be secret. */
export const unsaved: ReadonlySet<string> = new Set([
  ...settled,
  ...Object.keys(searchOptions),
  'secret',
  'token',
  'env',
  'allowRemote',
]);
