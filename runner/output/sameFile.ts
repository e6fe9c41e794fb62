import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Whether two paths name one file, also where one of them is a link to it. */
export function sameFile(one: string, other: string, directory: string): boolean {
  const [first, second] = [one, other].map((path) => {
    const whole = resolve(directory, path);
    return existsSync(whole) ? realpathSync(whole) : whole;
  });
  return first === second;
}
