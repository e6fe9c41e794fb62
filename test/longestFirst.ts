import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that took ten seconds and more when all were measured on two cores, the longest first. What is not named
 * begins after them: a file that has become slow belongs here, or one worker works alone at the end.
 */
export const longest: readonly string[] = [
  'docs/tutorials',
  'proof/serviceVariations',
  'proof/serviceProcess',
  'proof/receiverProcess',
  'proof/press',
  'runner/receiver/silence',
  'runner/fuzz/memory',
  'runner/receiver/timeLimit',
  'proof/sources',
  'proof/serviceFaults1',
  'proof/containers',
  'proof/libraries',
  'proof/postgres',
  'runner/receiver/control',
  'proof/kindsOfCase',
  'proof/fuzzed',
  'runner/output/resumedRuns',
  'runner/service/lateness',
  'proof/serviceFaults2',
  'proof/exported',
  'runner/receiver/lateRedelivery',
  'zoo/zoo',
  'runner/process/openProcess',
  'proof/conformingServices',
  'reports/formats/html/htmlPage',
  'runner/service/silence',
  'runner/receiver/runReceiver',
  'proof/losses',
  'suites/fuzz/receiver/interruptions',
  'suites/fuzz/service/conforming',
  'proof/faults2',
  'proof/faults1',
  'proof/conforming',
  'reports/curl/curl',
  'runner/fuzz/deaths',
  'runner/testing/describeReceiver',
  'runner/secrets/everyCommand',
  'runner/service/timeLimit',
  'runner/cli/cliProcess',
  'runner/options/packages',
  'runner/cli/cliReplay',
  'runner/cli/cliFuzz',
  'suites/fuzz/receiver/judgements',
  'runner/process/commands',
  'runner/receiver/dying',
  'runner/receiver/receiverProcess',
  'reference/serviceProcess',
  'runner/cli/cliRuns',
  'runner/fuzz/runFuzz',
  'runner/service/command',
  'suites/service/unknownNumber',
  'suites/service/webhookPages',
  'suites/service/eachEvent',
  'proof/exportedContracts',
  'runner/receiver/probeTrouble',
  'suites/service/expectAll',
  'suites/failedByItself',
  'suites/fuzz/receiver/conforming',
  'proof/signatureTimestamps',
  'runner/options/githubActions',
  'runner/cli/cliReport',
  'runner/service/cleaning',
  'docs/ci',
  'proof/recovery',
  'runner/load/artillery',
  'suites/service/sameEventAgain',
];

/** Folders whose other files take longest, in that order. What lies elsewhere computes, and hardly waits for anything. */
const slow = ['/test/proof/', '/test/suites/', '/test/docs/', '/test/runner/', '/test/reference/'];

/** Files that begin first, whatever else there is: each takes as long as many others. */
const first = 20;

/** The order of the test files, the same on every machine: the longest first, then slow folders, and within a folder by name. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted((one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1));
    const [waiting, computing] = [
      sorted.slice(first).filter(isSlow),
      sorted.slice(first).filter((one) => !isSlow(one)),
    ];
    return [...sorted.slice(0, first), ...spread(waiting, computing)];
  }
}

/** Both in their order, evenly mixed: where all that run wait, no core computes. */
export function spread<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  return lists
    .flatMap((list) => list.map((item, place) => ({ item, at: (place + 0.5) / list.length })))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function isSlow(file: TestSpecification): boolean {
  return rank(file) < longest.length + slow.length;
}

function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  if (place >= 0) return place;
  const folder = slow.findIndex((each) => moduleId.includes(each));
  return longest.length + (folder < 0 ? slow.length : folder);
}
