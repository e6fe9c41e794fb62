import { duration } from './amount.ts';

/** The time that a run was given, in as few words as it takes: `5 min`, `2 min 30 s`, `90 ms`. */
export function timeLimitText(ms: number): string {
  return duration(ms)
    .replace(/ 0 s$/, '')
    .replace(/\.0 s$/, ' s');
}
