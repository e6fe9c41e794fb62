/** A text cut where it differs from another: `before` and `after` say the same in both. */
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
 * Where two texts differ. What every request has of its own is taken for equal: identifiers (UUIDs of one version), times that
 * are minutes apart, and the addresses of the kit's endpoints.
 *
 * @param ids - of the first and of the second, where they have ids that are no UUIDs
 * @returns nothing where the texts say the same
 * @example differingPart('{"a":1}', '{"a":2}') .second // { before: '{"a":', changed: '2', after: '}' }
 */
export function differingPart(first: string, second: string, ids: OwnIds = []): DifferingPart | undefined {
  const isOwn: Same = (left, right) => left !== undefined && left === ids[0] && right === ids[1];
  return between(first, second, (left, right) => isOwn(left, right) || saysTheSame(left, right), ids);
}

/** The ids of two requests; none where they have none, or UUIDs. */
export type OwnIds = readonly [] | readonly [first: string, second: string];

/** The same with nothing taken for equal. */
export function exactPart(first: string, second: string): DifferingPart | undefined {
  return between(first, second, Object.is);
}

type Same = (left: string | undefined, right: string | undefined) => boolean;

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const timePattern = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`;
const loopbackPattern = String.raw`https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/[\w./-]*`;

const token = new RegExp(`${loopbackPattern}|${uuidPattern}|${timePattern}|[\\s\\S]`, 'giu');
const uuid = new RegExp(`^${uuidPattern}$`, 'i');
const time = new RegExp(`^${timePattern}$`);
const loopback = new RegExp(`^${loopbackPattern}$`);

/** Milliseconds within which a run makes what it compares. */
const meanwhile = 10 * 60_000;

function saysTheSame(left: string | undefined, right: string | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  if (uuid.test(left) && uuid.test(right)) return shapeOf(left) === shapeOf(right) && left[14] === right[14];
  if (time.test(left) && time.test(right)) {
    return digitsHidden(left) === digitsHidden(right) && Math.abs(Date.parse(left) - Date.parse(right)) < meanwhile;
  }
  return loopback.test(left) && loopback.test(right) && pathShape(left) === pathShape(right);
}

/** Of an identifier: whether it is written in capitals. */
function shapeOf(id: string): string {
  return /[A-F]/.test(id) ? 'upper' : 'lower';
}

function digitsHidden(text: string): string {
  return text.replaceAll(/\d/g, '0');
}

/** Of an address all but the last part of its path, which is made for each endpoint. */
function pathShape(url: string): string {
  return url.slice(0, url.lastIndexOf('/'));
}

function between(first: string, second: string, same: Same, ids: OwnIds = []): DifferingPart | undefined {
  const [a, b] = [tokens(first, ids[0]), tokens(second, ids[1])];
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

/** @param id - which is one token wherever it stands */
function tokens(text: string, id = ''): readonly string[] {
  const parts = id === '' ? [text] : text.split(id);
  return parts.flatMap((part, place) => [...(place === 0 ? [] : [id]), ...(part.match(token) ?? [])]);
}
