import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest, in that order: what begins last should be over soon, or one worker works alone. */
const slow = ['/test/proof/', '/test/docs/', '/test/runner/', '/test/reference/'];

/** The order of the test files: slow folders first, and within a folder by name, the same on every machine. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((folder) => moduleId.includes(folder));
  return place < 0 ? slow.length : place;
}
