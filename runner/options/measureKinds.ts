import { parseDuration, parseSize } from '../../spec/units.ts';
import { type OptionKind, scalar } from './optionKinds.ts';

/** Milliseconds, written as `250ms`, `10s`, `2m`, `1h` or a plain number. */
export const durationKind: OptionKind<number> = measureKind(
  '<duration>',
  'a duration such as 250ms, 10s, 2m or 1h (a plain number means milliseconds)',
  parseDuration,
);

/** Milliseconds that a run may take. Who writes 5 hardly means milliseconds, in which nothing can be tried. */
export const budgetKind: OptionKind<number> = measureKind(
  '<duration>',
  'a duration of a second or more, such as 30s, 2m or 1h (a plain number means milliseconds)',
  parseDuration,
  1000,
);

/** Bytes, written as `64KiB`, `2MiB` or a plain number. */
export const sizeKind: OptionKind<number> = measureKind(
  '<size>',
  'a size such as 64KiB or 2MiB (a plain number means bytes), 1KiB at least',
  parseSize,
  1024,
);

/** A number with a unit. @param parse - throws where there is none */
function measureKind(
  placeholder: string,
  valid: string,
  parse: (text: string) => number,
  least = 0,
): OptionKind<number> {
  const read = (text: string): number | undefined => {
    try {
      const measure = parse(text);
      return measure >= least ? measure : undefined;
    } catch {
      return undefined;
    }
  };
  return scalar({ placeholder, valid, schema: { type: ['string', 'number'] }, read });
}
