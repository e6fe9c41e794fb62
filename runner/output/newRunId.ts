import { randomBytes } from 'node:crypto';

/** A name for a run that sorts by time, and is never used twice. */
export function newRunId(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}
