import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that took 12 seconds and more when all were measured on two cores, the longest first. What is not named
 * begins after them: a file that has become slow belongs here, or one worker works alone at the end.
 */
export const longest: readonly string[] = [
  'runner/receiver/dying',
  'proof/receiverProcess',
  'proof/press',
  'proof/serviceVariations',
  'proof/containers',
  'proof/conformingServices',
  'proof/conforming',
  'docs/crashes',
  'proof/serviceFaults1',
  'proof/sources',
  'runner/service/command',
  'reports/formats/html/htmlPage',
  'proof/serviceFaults2',
  'docs/tutorials',
  'proof/serviceProcess',
  'proof/libraries',
  'runner/output/resumedRuns',
  'runner/process/openProcess',
  'proof/fuzzed',
  'proof/postgres',
  'runner/receiver/timeLimit',
  'runner/cli/cliRuns',
  'proof/faults1',
  'reference/faults',
  'runner/testing/describeReceiver',
  'docs/catalogue',
  'runner/options/optionalPackage',
  'runner/receiver/control',
  'runner/service/lateness',
  'runner/cli/cliReport',
  'runner/fuzz/deaths',
  'zoo/zoo',
  'runner/receiver/lateRedelivery',
  'runner/cli/cliProcess',
  'suites/fuzz/service/conforming',
  'docs/ci',
  'reports/curl/curl',
  'runner/cli/cliFuzz',
  'proof/exported',
  'suites/fuzz/receiver/conforming',
  'reference/serviceProcess',
  'generators/notification/webhookBody',
  'runner/receiver/runReceiver',
  'proof/faults2',
  'runner/secrets/everyCommand',
  'reference/processFaults',
  'bench/table',
  'suites/fuzz/service/judgements',
  'suites/fuzz/receiver/interruptions',
  'docs/testing',
  'proof/recovery',
  'runner/cli/cliConfidence',
  'runner/fuzz/memory',
  'runner/cli/hostileFiles',
  'proof/secretless',
  'runner/fuzz/serviceShrinking',
  'runner/options/githubActions',
  'runner/http/noAnswer',
  'reports/formats/everyFormat',
  'runner/prism/proxy',
  'proof/exportedContracts',
  'proof/serviceContainers',
  'runner/service/timeLimit',
  'runner/secrets/everyByte',
  'runner/cli/cliReplay',
  'suites/fuzz/receiver/judgements',
  'runner/process/commands',
  'runner/receiver/probeTrouble',
  'runner/cli/contract/init',
  'runner/fuzz/runFuzz',
  'proof/kindsOfCase',
  'suites/service/refusedBacklog',
  'runner/load/artillery',
  'runner/engine/shard',
  'reports/model/misshapenJournal',
  'proof/timestamps',
  'suites/service/expectAll',
  'runner/receiver/receiverProcess',
  'suites/service/unknownNumber',
  'runner/cli/contract/show',
  'runner/cli/cliSandbox',
];

/** Folders whose other files take longest, in that order. */
const slow = ['/test/proof/', '/test/suites/', '/test/docs/', '/test/runner/', '/test/reference/'];

/** The order of the test files, the same on every machine: the longest first, then slow folders, and within a folder by name. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  if (place >= 0) return place;
  const folder = slow.findIndex((each) => moduleId.includes(each));
  return longest.length + (folder < 0 ? slow.length : folder);
}
