import fc, { type Arbitrary } from 'fast-check';

/** How the fraction of a second is written. */
export type TimestampForm = 'plain' | 'any' | number;

/** Constraints of {@link timestamp}. */
export interface TimestampConstraints {
  /**
   * `plain` (default): whole seconds, as in `2026-01-31T08:00:00Z`. `any`: 0 to 6 digits of a fraction. A number: just
   * as many digits.
   */
  readonly form?: TimestampForm;
}

const earliest = Date.UTC(2000, 0, 1) / 1000;
const latest = Date.UTC(2099, 11, 31) / 1000;

/**
 * For points of time in UTC as RFC 3339 writes them, with upper-case `T` and `Z`, between 2000 and 2099, without leap
 * seconds. Shrinks to the beginning of 2000 and to fewer digits.
 *
 * @example timestamp({ form: 3 }) // '2026-01-31T08:00:00.250Z'
 */
export function timestamp(constraints: TimestampConstraints = {}): Arbitrary<string> {
  const { form = 'plain' } = constraints;
  const seconds = fc.integer({ min: earliest, max: latest }).map(toText, toSeconds);
  if (form === 'plain') return seconds;
  const [least, most] = form === 'any' ? [0, 6] : [form, form];
  const digit = fc.constantFrom(...Array.from('0123456789'));
  return fc
    .tuple(seconds, fc.string({ unit: digit, minLength: least, maxLength: most, size: 'max' }))
    .map(([whole, fraction]) => (fraction === '' ? whole : `${whole.slice(0, -1)}.${fraction}Z`), takeApart);
}

function toText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function toSeconds(value: unknown): number {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) throw new Error('not a timestamp');
  return Date.parse(value) / 1000;
}

function takeApart(value: unknown): [string, string] {
  const match = typeof value === 'string' ? /^(.*\d)(?:\.(\d{1,6}))?Z$/.exec(value) : null;
  if (match === null) throw new Error('not a timestamp');
  return [`${match[1]}Z`, match[2] ?? ''];
}
