import { differingPart } from '../../model/differingPart.ts';
import { visible } from '../../text/visible.ts';
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
  const part = differingPart(accepted, found);
  if (part === undefined) return undefined;
  const { first, second } = part;
  const before = context(second.before, Math.floor(columns / 3));
  const carets = '^'.repeat(Math.max(1, textWidth(visible(second.changed))));
  return {
    accepted: shown(before, first.changed + first.after, columns),
    found: shown(before, second.changed + second.after, columns),
    marker: fitting(' '.repeat(textWidth(before)) + carets, columns),
  };
}

/** The end of what stands before the difference, the same for both texts. */
function context(before: string, columns: number): string {
  const text = visible(before);
  const kept = Array.from(text).reverse().join('');
  return textWidth(text) <= columns
    ? text
    : `…${Array.from(fitting(kept, columns - 1))
        .reverse()
        .join('')}`;
}

function shown(before: string, rest: string, columns: number): string {
  const start = rest.slice(0, columns * 2);
  const text = before + visible(start);
  const whole = start === rest && textWidth(text) <= columns;
  return whole ? text : `${fitting(text, columns - 1)}…`;
}
