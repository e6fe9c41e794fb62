import { formatNames } from '../../reports/formats/formatNames.ts';
import { shippedContracts } from '../../spec/shippedContracts.ts';
import { intensities } from '../engine/plan.ts';
import { isGithubActions } from './githubActions.ts';
import { option, type Option } from './option.ts';
import {
  assumptionsKind,
  choiceKind,
  contractKind,
  documentKind,
  integerKind,
  type OptionKind,
  pathKind,
  positiveKind,
  reportsKind,
  shardKind,
  switchKind,
  textKind,
  textsKind,
} from './optionKinds.ts';
import { budgetKind, durationKind, sizeKind } from './measureKinds.ts';

/** Where a value is a URL, or a command that has to be run. */
export function isCommand(text: string): boolean {
  return !/^https?:\/\//i.test(text);
}

/** What every command takes that tests something. */
export const sharedOptions = {
  report: option({
    flag: '--report',
    mistakenFor: ['--format', '--reporter', '--reporters', '--output', '--json', '--html', '--junit'],
    kind: reportsKind,
    group: 'Reports',
    description: `write a report in this format: ${formatNames.join(', ')}; without a path to standard output`,
    default: [{ format: 'terminal' }],
    defaultIn: (environment) =>
      isGithubActions(environment) ? [{ format: 'terminal' }, { format: 'github' }] : undefined,
    defaultText: 'terminal, and github inside GitHub Actions',
    writes: (text) => /=(.+)$/s.exec(text)?.[1],
  }),
  keepRuns: option({
    flag: '--keep-runs',
    kind: integerKind(1, 1_000_000),
    group: 'Reports',
    description:
      'how many runs stay in .seaworthy/runs; older ones are removed with their failed cases when a run ends',
    default: 20,
  }),
  only: option({
    flag: '--only',
    mistakenFor: ['--grep', '--check', '--checks', '--filter', '--include'],
    kind: textsKind('<pattern>', 'a check id or a requirement id, * for any characters'),
    group: 'Selection',
    description: 'run only these checks, by check id or requirement id: IDM-*, receiver/signature/*',
    default: [],
    defaultText: 'all',
  }),
  skip: option({
    flag: '--skip',
    mistakenFor: ['--exclude', '--ignore'],
    kind: textsKind('<pattern>', 'a check id or a requirement id, * for any characters'),
    group: 'Selection',
    description: 'skip these checks, by check id or requirement id',
    default: [],
    defaultText: 'none',
  }),
  require: option({
    flag: '--require',
    kind: textsKind('<pattern>', 'a requirement id, * for any characters'),
    group: 'Selection',
    description: 'requirements that must be observed: one that neither holds nor is broken at the end fails the run',
    default: [],
    defaultText: 'none',
  }),
  expectFailures: option({
    flag: '--expect-failures',
    kind: pathKind,
    group: 'Selection',
    description:
      'a JSON or YAML list of known failures ({id, reason, expires?, link?}; id: a requirement or a check). A listed failure does not fail the run; an entry that passes, was not tested, has expired or names nothing does',
    defaultText: 'none',
  }),
  shard: option({
    flag: '--shard',
    kind: shardKind,
    group: 'Selection',
    description:
      'run this part of the checks, for several machines side by side: 1/3, 2/3 and 3/3, each with the same --seed. seaworthy report merges their journals',
    defaultText: 'the whole',
    commandLineOnly: true,
  }),
  resume: option({
    flag: '--resume',
    kind: pathKind,
    group: 'Selection',
    description:
      'go on with a run that was interrupted or killed: its journal. What it settled is kept, and the rest runs; give the options of that run again',
    defaultText: 'none',
    commandLineOnly: true,
  }),
  list: option({
    flag: '--list',
    mistakenFor: ['--dry-run'],
    kind: switchKind,
    group: 'Selection',
    description: 'show the checks that would run, and send nothing',
    default: false,
    commandLineOnly: true,
  }),
  lastFailed: option({
    flag: '--last-failed',
    kind: switchKind,
    group: 'Selection',
    description: 'run only the checks that failed or warned in the newest run of this directory that judged any',
    default: false,
    commandLineOnly: true,
  }),
  intensity: option({
    flag: '--intensity',
    mistakenFor: ['--quick', '--standard', '--thorough'],
    kind: choiceKind('<level>', intensities),
    group: 'Cases',
    description: `how many cases each property tries: ${intensities.join(', ')}`,
    default: 'standard',
  }),
  seed: option({
    flag: '--seed',
    kind: integerKind(0, 4_294_967_295),
    group: 'Cases',
    description: 'repeat the cases of an earlier run',
    defaultText: 'random, always printed',
  }),
  time: option({
    flag: '--time',
    mistakenFor: ['--duration', '--max-time'],
    kind: budgetKind,
    group: 'Cases',
    description:
      'end the run within this time; one case of each kind of every check comes first, and what is left out is reported',
    defaultText: '2m at quick, 5m at standard, 20m at thorough; 5m more where the kit starts the target',
  }),
  bail: option({
    flag: '--bail',
    mistakenFor: ['--fail-fast'],
    kind: switchKind,
    group: 'Cases',
    description: 'stop at the first failure',
    default: false,
  }),
  concurrency: option({
    flag: '--concurrency',
    mistakenFor: ['--workers', '--parallel'],
    kind: integerKind(1, 1024),
    group: 'Pace',
    description: 'deliveries in flight at most',
    defaultText: 'what the target can take, from 1 to 64',
  }),
  rate: option({
    flag: '--rate',
    kind: positiveKind,
    group: 'Pace',
    description: 'deliveries per second at most',
    defaultText: 'no limit',
  }),
  timeout: option({
    flag: '--timeout',
    kind: durationKind,
    group: 'Pace',
    description: 'how long to wait for the answer to a delivery',
    defaultText: 'the assumption delivery.timeout',
  }),
  maxAnswer: option({
    flag: '--max-answer',
    kind: sizeKind,
    group: 'Pace',
    description: 'how much of one answer is read; one that goes on counts as one without an end',
    defaultText: '16MiB',
  }),
  settle: option({
    flag: '--settle',
    kind: durationKind,
    group: 'Pace',
    description: 'how long to wait before an absence counts (no effect, no second effect), once for all checks',
    defaultText: 'the larger of 1s and 5 times the slowest effect seen; 10s at most for one that waited in a queue',
  }),
  ca: option({
    flag: '--ca',
    kind: pathKind,
    group: 'Target',
    description: 'trust the certificates in this PEM file',
  }),
  insecure: option({
    flag: '--insecure',
    kind: switchKind,
    group: 'Target',
    description: 'trust any certificate',
    default: false,
  }),
  allowRemote: option({
    flag: '--allow-remote',
    kind: switchKind,
    group: 'Target',
    description: 'send to an address that is neither loopback nor private',
    default: false,
    commandLineOnly: true,
  }),
  reset: option({
    flag: '--reset',
    kind: textKind('<command>', 'a shell command'),
    group: 'Target',
    description: 'shell command that brings the target back to a clean state; it runs before anything else',
    defaultText: 'none',
    runs: () => true,
  }),
  strict: option({
    flag: '--strict',
    kind: switchKind,
    group: 'Contract',
    description: 'a broken SHOULD counts like a broken MUST',
    default: false,
  }),
  contract: option({
    flag: '--contract',
    kind: contractKind,
    group: 'Contract',
    description: `whose webhooks they are: ${shippedContracts.join(', ')}, or your own contract.yaml`,
    default: 'tracking',
  }),
  openapi: option({
    flag: '--openapi',
    kind: documentKind,
    group: 'Contract',
    description: 'the OpenAPI document of the events, in place of the one that the contract names',
    defaultText: 'what the contract names',
  }),
  assume: option({
    flag: '--assume',
    kind: assumptionsKind,
    group: 'Contract',
    description:
      'change the assumption that fills a gap of the contract; seaworthy requirements --assumptions lists them',
    default: {},
    defaultText: 'the table of assumptions',
  }),
  config: option({
    flag: '--config',
    kind: pathKind,
    group: 'Configuration',
    description: 'the config file',
    defaultText: 'seaworthy.config.ts, .js, .json, .yaml or the like, from here up to the root of the repository',
    commandLineOnly: true,
  }),
  safe: option({
    flag: '--safe',
    kind: switchKind,
    group: 'Configuration',
    description:
      'run nothing that a config file names, for a file that somebody else wrote: one that is code, that names a command, an image or a variable for one, or that has something written outside its folder, is an error',
    default: false,
    commandLineOnly: true,
  }),
} as const;

const hostKind: OptionKind<string> = textKind('<host>', 'a name or an address of this machine');

/** Where a command that serves something listens; `port` is what it takes unless another is given. */
export function listenOptions(port: number): { readonly port: Option<number>; readonly host: Option<string> } {
  return {
    port: {
      flag: '--port',
      kind: integerKind(0, 65_535),
      group: 'Configuration',
      description: 'the port to listen on; 0 takes any free port',
      default: port,
    },
    host: {
      flag: '--host',
      kind: hostKind,
      group: 'Configuration',
      description: 'the address of this machine to listen on',
      default: '127.0.0.1',
    },
  };
}
