/** A text cut where it differs from another: `before` and `after` are equal in both but for identifiers. */
export interface CutText {
  readonly before: string;
  readonly changed: string;
  readonly after: string;
}

/** Two texts cut at the one place where they differ. */
export interface DifferingPart {
  readonly first: CutText;
  readonly second: CutText;
}

/**
 * Where two texts differ. Identifiers (UUIDs) are taken for equal, since every delivery has its own, unless nothing
 * else differs.
 *
 * @returns nothing where the texts are equal
 * @example differingPart('{"a":1}', '{"a":2}') .second // { before: '{"a":', changed: '2', after: '}' }
 */
export function differingPart(first: string, second: string): DifferingPart | undefined {
  return between(first, second, sameButForIds) ?? between(first, second, Object.is);
}

type Same = (left: string | undefined, right: string | undefined) => boolean;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function sameButForIds(left: string | undefined, right: string | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && uuid.test(left) && uuid.test(right));
}

function between(first: string, second: string, same: Same): DifferingPart | undefined {
  const [a, b] = [tokens(first), tokens(second)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && same(a[start], b[start])) start += 1;
  if (start === a.length && start === b.length) return undefined;
  let tail = 0;
  while (tail < shorter - start && same(a.at(-1 - tail), b.at(-1 - tail))) tail += 1;
  return { first: cut(a, start, tail), second: cut(b, start, tail) };
}

function cut(all: readonly string[], start: number, tail: number): CutText {
  const end = all.length - tail;
  return {
    before: all.slice(0, start).join(''),
    changed: all.slice(start, end).join(''),
    after: all.slice(end).join(''),
  };
}

function tokens(text: string): readonly string[] {
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\s\S]/giu) ?? [];
}
