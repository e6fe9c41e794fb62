import { folderKind, integerKind, switchKind, textKind, several } from './optionKinds.ts';
import { budgetKind } from './measureKinds.ts';
import { sharedOptions } from './sharedOptions.ts';
import { option, type Settings, optionsWithout } from './option.ts';
import { receiverOptions } from './receiverOptions.ts';
import { serviceOptions } from './serviceOptions.ts';

/** What a failure can be written as. */
const exportFormats = ['vitest', 'curl'] as const;

/** What a failure is written as, and where to; beside the saved case where there is no path. */
export interface ExportTarget {
  readonly format: (typeof exportFormats)[number];
  readonly path?: string;
}

/** `format` or `format=path`. */
const exportKind = several<ExportTarget>({
  placeholder: '<format[=path]>',
  valid: 'vitest or curl, or one of them with the path of a file or of a folder: vitest=test/found/',
  read(text) {
    const [, name, path] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
    const format = exportFormats.find((known) => known === name);
    if (format === undefined) return undefined;
    return path === undefined ? { format } : { format, path };
  },
});

/** Writes failures in a form that runs without a search; `replay` takes it as well. */
export const exportOption = option({
  flag: '--export',
  kind: exportKind,
  group: 'Reports',
  description:
    'write each failure as a Vitest test (vitest) or as a shell script (curl), to a file or a folder; without a path beside the saved case',
  default: [],
  defaultText: 'none',
  commandLineOnly: true,
});

/** Milliseconds of a search that is not bounded in another way. */
export const usualTime = 60_000;

/** What only `seaworthy fuzz` takes. */
export const searchOptions = {
  service: option({
    flag: '--service',
    kind: textKind('<base-url>', 'the base address of a service, with its version'),
    group: 'Target',
    description: 'fuzz the service at this base address, instead of a receiver',
    defaultText: 'none',
  }),
  time: option({
    flag: '--time',
    mistakenFor: ['--duration', '--max-time'],
    kind: budgetKind,
    group: 'Cases',
    description: 'search for this long; the end of it is kept for shrinking what was found',
    defaultText: '60s, unless --runs or --until-failure is given',
  }),
  runs: option({
    flag: '--runs',
    kind: integerKind(1, 1_000_000_000),
    group: 'Cases',
    description: 'search until this many sequences were tried',
    defaultText: 'no limit',
  }),
  untilFailure: option({
    flag: '--until-failure',
    kind: switchKind,
    group: 'Cases',
    description: 'search until the first failure, however long it takes; --time and --runs still bound the search',
    default: false,
  }),
  feedback: option({
    flag: '--no-feedback',
    kind: switchKind,
    group: 'Cases',
    description: 'generate every sequence anew, instead of changing those that brought new answers',
    default: true,
  }),
  corpus: option({
    flag: '--corpus',
    kind: folderKind,
    group: 'Cases',
    description: 'the folder that keeps sequences that brought new answers, for the next search',
    default: '.seaworthy/corpus',
    writes: (text) => text,
  }),
  export: exportOption,
} as const;

const meaningless = ['intensity', 'shard', 'resume'] as const satisfies readonly (keyof typeof sharedOptions)[];

const searched = {
  bail: option({ ...sharedOptions.bail, description: 'stop at the first failure; --time still bounds the search' }),
  only: option({ ...sharedOptions.only, description: 'look only for these, by requirement id or check id: IDM-*' }),
  skip: option({ ...sharedOptions.skip, description: 'do not look for these, by requirement id or check id' }),
  list: option({ ...sharedOptions.list, description: 'show what would be looked for, and send nothing' }),
  seed: option({ ...sharedOptions.seed, description: 'begin with the sequences of an earlier search' }),
} as const;

/** What `seaworthy fuzz <url>` takes. */
export const receiverFuzzOptions = {
  ...optionsWithout(receiverOptions, meaningless),
  ...searched,
  ...searchOptions,
} as const;

/** What `seaworthy fuzz --service <base-url>` takes. */
export const serviceFuzzOptions = {
  ...optionsWithout(serviceOptions, meaningless),
  ...searched,
  ...searchOptions,
} as const;

/** All that `seaworthy fuzz` takes. What only one kind of target knows is wrong for the other. */
export const fuzzOptions = {
  ...receiverFuzzOptions,
  ...serviceFuzzOptions,
  concurrency: {
    ...receiverOptions.concurrency,
    description: 'deliveries or calls in flight at most; a few times as many sequences run side by side',
  },
  rate: { ...receiverOptions.rate, description: 'deliveries or calls per second at most' },
  timeout: {
    ...receiverOptions.timeout,
    description: 'how long to wait for the answer to a delivery or a call',
    defaultText: 'the assumption delivery.timeout; 30s for calls of a service',
  },
  settle: { ...receiverOptions.settle, description: 'how long to wait before an absence counts' },
} as const;

/** The values of the options that bound a search. */
export type SearchSettings = Settings<typeof searchOptions>;

/** The values of the options of a search in a receiver. */
export type ReceiverFuzzSettings = Settings<typeof receiverFuzzOptions>;

/** The values of the options of a search in a service. */
export type ServiceFuzzSettings = Settings<typeof serviceFuzzOptions>;
