import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest, in that order: what begins last should be over soon, or one worker works alone. */
const slow = ['/test/proof/', '/test/docs/', '/test/runner/', '/test/reference/'];

/**
 * The order of the test files, the same on every machine: slow folders first, and within a folder by name. They wait most of
 * the time, so that every third file is one of the others, which compute.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted((one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1));
    const others = sorted.filter((file) => rank(file) === slow.length);
    const waiting = sorted.filter((file) => rank(file) < slow.length);
    const mixed = waiting.flatMap((file, place) => (place % 2 === 1 ? [file, ...others.splice(0, 1)] : [file]));
    return [...mixed, ...others];
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((folder) => moduleId.includes(folder));
  return place < 0 ? slow.length : place;
}
