import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that took 18 seconds and more when all were measured on two cores, the longest first. What is not named
 * begins after them: a file that has become slow belongs here, or one worker works alone at the end.
 */
export const longest: readonly string[] = [
  'proof/receiverProcess',
  'proof/press',
  'runner/receiver/dying',
  'proof/serviceVariations',
  'proof/containers',
  'docs/crashes',
  'reports/formats/html/htmlPage',
  'proof/faults1',
  'proof/conforming',
  'proof/conformingServices',
  'runner/fuzz/deaths',
  'proof/sources',
  'docs/tutorials',
  'suites/fuzz/service/conforming',
  'runner/receiver/probeTrouble',
  'docs/catalogue',
  'proof/postgres',
  'proof/fuzzed',
  'proof/serviceFaults2',
  'runner/testing/describeReceiver',
  'runner/receiver/timeLimit',
  'runner/options/optionalPackage',
  'proof/serviceFaults1',
  'runner/service/command',
  'proof/libraries',
  'runner/process/openProcess',
  'runner/receiver/control',
  'runner/secrets/everyByte',
  'runner/secrets/everyCommand',
  'proof/serviceProcess',
  'runner/output/resumedRuns',
  'docs/ci',
  'runner/service/lateness',
  'runner/cli/cliRuns',
  'runner/receiver/lateRedelivery',
  'docs/testing',
  'reports/curl/curl',
  'proof/exported',
  'runner/cli/hostileFiles',
  'runner/receiver/runReceiver',
  'docs/examples',
  'zoo/zoo',
  'reference/serviceProcess',
  'runner/options/githubActions',
  'runner/cli/contract/init',
  'reference/faults',
  'suites/fuzz/service/judgements',
  'runner/service/timeLimit',
  'runner/cli/cliConfidence',
  'runner/cli/cliFuzz',
  'runner/cli/cliReport',
  'suites/fuzz/receiver/interruptions',
  'suites/fuzz/receiver/conforming',
  'runner/cli/cliProcess',
  'runner/prism/proxy',
  'runner/fuzz/serviceShrinking',
];

/** Folders whose other files take longest, in that order. */
const slow = ['/test/proof/', '/test/docs/', '/test/runner/', '/test/reference/'];

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
