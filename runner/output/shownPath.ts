import { relative } from 'node:path';

/** A path as people are shown it: relative to the working directory where it is below it. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}
