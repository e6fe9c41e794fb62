import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that took 12 seconds and more when all were measured on two cores, the longest first. What is not named
 * begins after them: a file that has become slow belongs here, or one worker works alone at the end.
 */
export const longest: readonly string[] = [
  'proof/serviceFaults1',
  'proof/containers',
  'proof/receiverProcess',
  'proof/press',
  'proof/serviceVariations',
  'runner/receiver/dying',
  'proof/serviceFaults2',
  'reports/formats/html/htmlPage',
  'proof/serviceProcess',
  'proof/conformingServices',
  'docs/crashes',
  'runner/output/resumedRuns',
  'proof/libraries',
  'proof/sources',
  'docs/tutorials',
  'runner/secrets/everyCommand',
  'runner/options/packages',
  'proof/fuzzed',
  'runner/process/openProcess',
  'runner/service/command',
  'runner/receiver/timeLimit',
  'proof/conforming',
  'proof/postgres',
  'docs/testing',
  'runner/testing/describeReceiver',
  'proof/faults2',
  'zoo/zoo',
  'docs/catalogue',
  'runner/service/lateness',
  'reports/curl/curl',
  'runner/cli/cliFuzz',
  'proof/faults1',
  'proof/exported',
  'runner/receiver/control',
  'docs/ci',
  'runner/receiver/lateRedelivery',
  'suites/fuzz/service/conforming',
  'runner/cli/cliProcess',
  'suites/fuzz/receiver/conforming',
  'suites/fuzz/service/judgements',
  'runner/receiver/runReceiver',
  'generators/notification/webhookBody',
  'suites/fuzz/receiver/interruptions',
  'runner/fuzz/memory',
  'runner/fuzz/deaths',
  'runner/fuzz/serviceShrinking',
  'runner/options/githubActions',
  'runner/cli/hostileFiles',
  'reference/serviceProcess',
  'proof/recovery',
  'runner/receiver/receiverProcess',
  'docs/examples',
  'runner/service/timeLimit',
  'runner/load/artillery',
  'runner/cli/cliRuns',
  'suites/fuzz/receiver/judgements',
  'runner/cli/cliReport',
  'runner/fuzz/runFuzz',
  'runner/receiver/probeTrouble',
  'runner/secrets/everyByte',
  'suites/service/unknownNumber',
  'proof/kindsOfCase',
  'runner/process/commands',
  'proof/secretless',
  'generators/schema/invalidNeighbour',
  'runner/secrets/secrets',
  'runner/cli/cliConfidence',
  'proof/exportedContracts',
  'runner/service/cleaning',
  'bench/table',
  'runner/prism/secondOpinion',
  'suites/service/expectAll',
  'runner/prism/mock',
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
