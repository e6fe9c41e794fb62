import { visible } from '../visible.ts';
import { fitting, textWidth } from './textWidth.ts';

/** The surroundings of the one place where two texts differ, one under the other. */
export interface Difference {
  readonly accepted: string;
  readonly found: string;
  /** Spaces, and `^` under what differs in `found`. */
  readonly marker: string;
}

/**
 * Where two texts differ. Identifiers (UUIDs) are taken for equal, since every delivery has its own, unless nothing
 * else differs.
 *
 * @param columns - how wide each line may be
 * @returns nothing where the texts are equal
 */
export function difference(accepted: string, found: string, columns: number): Difference | undefined {
  return between(accepted, found, columns, sameButForIds) ?? between(accepted, found, columns, Object.is);
}

type Same = (left: string | undefined, right: string | undefined) => boolean;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function sameButForIds(left: string | undefined, right: string | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && uuid.test(left) && uuid.test(right));
}

function between(accepted: string, found: string, columns: number, same: Same): Difference | undefined {
  const [a, b] = [tokens(accepted), tokens(found)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && same(a[start], b[start])) start += 1;
  if (start === a.length && start === b.length) return undefined;
  let tail = 0;
  while (tail < shorter - start && same(a.at(-1 - tail), b.at(-1 - tail))) tail += 1;
  const before = context(b.slice(0, start), Math.floor(columns / 3));
  const changed = b
    .slice(start, b.length - tail)
    .map((token) => visible(token))
    .join('');
  const carets = '^'.repeat(Math.max(1, textWidth(changed)));
  return {
    accepted: shown(before, a.slice(start), columns),
    found: shown(before, b.slice(start), columns),
    marker: fitting(' '.repeat(textWidth(before)) + carets, columns),
  };
}

function tokens(text: string): readonly string[] {
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\s\S]/giu) ?? [];
}

/** The end of what stands before the difference, the same for both texts. */
function context(before: readonly string[], columns: number): string {
  const text = before.map((token) => visible(token)).join('');
  const kept = Array.from(text).reverse().join('');
  return textWidth(text) <= columns
    ? text
    : `…${Array.from(fitting(kept, columns - 1))
        .reverse()
        .join('')}`;
}

function shown(before: string, rest: readonly string[], columns: number): string {
  const text =
    before +
    rest
      .slice(0, columns)
      .map((token) => visible(token))
      .join('');
  const whole = rest.length <= columns && textWidth(text) <= columns;
  return whole ? text : `${fitting(text, columns - 1)}…`;
}
