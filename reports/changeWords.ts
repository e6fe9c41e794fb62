import type { Change } from './comparison.ts';

/** What reports call a change, as a title. */
export const changeTitles: Readonly<Record<Change, string>> = {
  broke: 'Broke',
  'no-longer-observed': 'No longer observed',
  mended: 'Mended',
  'newly-observed': 'Newly observed',
  added: 'Only in the later run',
  removed: 'Only in the earlier run',
  same: 'Unchanged',
};

/** The changes that are told one by one, the gravest first. */
export const changesToTell = ['broke', 'no-longer-observed', 'mended', 'newly-observed', 'added', 'removed'] as const;
