import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that took 20 seconds and more when all were measured on two cores, the longest first. What is not named
 * begins after them: a file that has become slow belongs here, or one worker works alone at the end.
 */
export const longest: readonly string[] = [
  'proof/receiverProcess',
  'proof/faults1',
  'proof/sources',
  'runner/receiver/dying',
  'reports/formats/html/htmlPage',
  'docs/crashes',
  'proof/conforming',
  'proof/containers',
  'proof/serviceVariations',
  'proof/postgres',
  'docs/testing',
  'runner/testing/describeReceiver',
  'docs/tutorials',
  'proof/press',
  'proof/serviceProcess',
  'proof/conformingServices',
  'runner/cli/cliRuns',
  'suites/fuzz/service/conforming',
  'proof/faults2',
  'proof/serviceFaults2',
  'proof/serviceFaults1',
  'proof/libraries',
  'proof/fuzzed',
  'reference/serviceProcess',
  'runner/secrets/everyByte',
  'runner/secrets/everyCommand',
  'runner/service/command',
  'suites/fuzz/receiver/interruptions',
  'suites/fuzz/receiver/conforming',
  'runner/process/openProcess',
  'runner/cli/hostileFiles',
  'runner/output/resumedRuns',
  'runner/cli/cliProcess',
  'runner/receiver/lateRedelivery',
  'suites/fuzz/service/judgements',
  'runner/receiver/runReceiver',
  'reference/faults',
  'runner/receiver/control',
  'proof/exported',
  'runner/export/curlExport',
  'runner/cli/cliFuzz',
  'runner/cli/cliReport',
  'runner/receiver/probeTrouble',
  'generators/notification/webhookBody',
  'reports/curl/curl',
  'runner/fuzz/deaths',
  'runner/cli/contract/show',
  'runner/fuzz/memory',
  'runner/service/timeLimit',
  'proof/timestamps',
  'runner/receiver/timeLimit',
  'reference/processFaults',
  'runner/cli/cliConfidence',
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
