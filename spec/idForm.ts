import { didYouMean, nearest } from './nearest.ts';

/** Forms of ids that have a name. */
const named = ['uuid', 'integer'] as const;

/**
 * What is wrong with a form of ids, as a clause that says what is valid; nothing where it is `uuid`, `integer`, or a regular
 * expression that more than one text matches.
 */
export function idFormProblem(form: string): string | undefined {
  const valid = `uuid, integer, or a regular expression for the whole id, such as evt_[a-z0-9]{20}`;
  if (named.some((name) => name === form)) return undefined;
  try {
    void new RegExp(`^(?:${form})$`, 'u');
  } catch (cause) {
    return `${valid} (${cause instanceof Error ? cause.message : ''})`;
  }
  if (/[[\\.({*+?|]/.test(form)) return undefined;
  const meant = didYouMean(nearest(form, named));
  return `${valid}: this one stands for itself alone, and every delivery would have the same id${meant === undefined ? '' : ` (${meant})`}`;
}
