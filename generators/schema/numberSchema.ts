import fc, { type Arbitrary } from 'fast-check';

import { probedFilter, UnsupportedSchema } from './schemaContext.ts';
import type { SchemaObjectPlace } from './schemaCases.ts';

/** The numbers between which values lie. */
interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  /** Where the bound itself does not count. */
  readonly isMinimumOut: boolean;
  readonly isMaximumOut: boolean;
}

/** The ranges of the number formats that OpenAPI 3.1 defines; other formats do not restrict. */
const formatBounds: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  float: [-3.4028234663852886e38, 3.4028234663852886e38],
};

/** The steps of the decimals that `plain` numbers are made of. */
const plainSteps = [1, 0.01, 0.000001, 0.0000001];

/**
 * For numbers (or only whole numbers) that meet the bounds and `multipleOf` of all the schemas; never -0, which JSON
 * texts made by `JSON.stringify` cannot carry. Whole numbers stay within ±(2^53 - 1), as I-JSON wants. Undefined where
 * there are none.
 *
 * @throws UnsupportedSchema where all that are valid lie beyond that
 * @param kind - `any`: all finite doubles; `plain`: decimals with up to seven digits of a fraction
 */
export function numberSchema(
  parts: readonly SchemaObjectPlace[],
  isWhole: boolean,
  kind: 'plain' | 'any',
): Arbitrary<number> | undefined {
  const bounds = boundsOf(parts);
  if (isWhole) assertSafe(parts, bounds);
  const steps = parts.filter(({ schema }) => schema.multipleOf !== undefined);
  const whole = steps.find(({ schema }) => Number.isInteger(schema.multipleOf));
  const maker = isWhole ? whole : steps[0];
  const step = maker?.schema.multipleOf ?? 1;
  const made = isWhole || maker !== undefined ? multiples(step, bounds) : fractions(bounds, kind);
  const unmet = steps.filter((part) => part !== maker || !Number.isInteger(step));
  return unmet.reduce<Arbitrary<number> | undefined>((numbers, { schema, pointer }) => {
    const divides = (value: number): boolean => Number.isInteger(value / (schema.multipleOf as number));
    return numbers && probedFilter(numbers, divides, `${pointer}/multipleOf`, 'multipleOf');
  }, made);
}

/** A double does not hold every whole number beyond, and most that read JSON make doubles of its numbers. */
function assertSafe(parts: readonly SchemaObjectPlace[], { minimum, maximum }: Bounds): void {
  if (minimum > maximum || (minimum <= Number.MAX_SAFE_INTEGER && maximum >= -Number.MAX_SAFE_INTEGER)) return;
  const keywords = minimum > 0 ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum'];
  const bound = minimum > 0 ? minimum : maximum;
  for (const { schema, pointer } of parts) {
    const keyword = keywords.find((name) => schema[name] === bound);
    if (keyword === undefined) continue;
    const received = `all whole numbers that it leaves lie beyond ±(2^53 - 1), where JSON numbers lose digits`;
    throw new UnsupportedSchema(`${pointer}/${keyword}`, keyword, received, 'Write such a number as a text.');
  }
}

function fractions(bounds: Bounds, kind: 'plain' | 'any'): Arbitrary<number> | undefined {
  if (kind === 'any') return doubles(bounds);
  const near = { ...bounds, minimum: Math.max(bounds.minimum, -1e6), maximum: Math.min(bounds.maximum, 1e6) };
  const choices = plainSteps.flatMap((step) => multiples(step, near) ?? []);
  return choices.length === 0 ? doubles(bounds) : fc.oneof(...choices);
}

function boundsOf(parts: readonly SchemaObjectPlace[]): Bounds {
  const schemas = parts.map(({ schema }) => schema);
  const ranges = schemas.map(({ format }) => formatBounds[format ?? ''] ?? ([-Infinity, Infinity] as const));
  const above = Math.max(...schemas.map((schema) => schema.exclusiveMinimum ?? -Infinity), -Infinity);
  const below = Math.min(...schemas.map((schema) => schema.exclusiveMaximum ?? Infinity), Infinity);
  const from = Math.max(...schemas.map((schema) => schema.minimum ?? -Infinity), ...ranges.map(([least]) => least));
  const to = Math.min(...schemas.map((schema) => schema.maximum ?? Infinity), ...ranges.map(([, most]) => most));
  return {
    minimum: Math.max(above, from),
    maximum: Math.min(below, to),
    isMinimumOut: above >= from && above > -Infinity,
    isMaximumOut: below <= to && below < Infinity,
  };
}

function multiples(step: number, bounds: Bounds): Arbitrary<number> | undefined {
  const { minimum, maximum, isMinimumOut, isMaximumOut } = bounds;
  const product = multiplesOf(step);
  const isWithin = (factor: number): boolean => {
    const value = product(factor);
    return (isMinimumOut ? value > minimum : value >= minimum) && (isMaximumOut ? value < maximum : value <= maximum);
  };
  const limit = Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, step));
  let min = Math.max(-limit, Math.floor(minimum / step) - 1);
  let max = Math.min(limit, Math.ceil(maximum / step) + 1);
  while (min <= max && !isWithin(min)) min += 1;
  while (max >= min && !isWithin(max)) max -= 1;
  if (min > max) return undefined;
  const factors = fc.integer({ min, max });
  return step === 1 ? factors : factors.map(product, (value) => Math.round(Number(value) / step));
}

/** The products as they are written in decimal: 3 times 0.1 is 0.3, not the double beside it. */
function multiplesOf(step: number): (factor: number) => number {
  const [, fraction = '', exponent = '0'] = /^\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(step)) ?? [];
  const decimals = fraction.length - Number(exponent);
  if (decimals <= 0) return (factor) => factor * step;
  return (factor) => Number((factor * step).toFixed(Math.min(100, decimals))) + 0;
}

function doubles({ minimum, maximum, isMinimumOut, isMaximumOut }: Bounds): Arbitrary<number> | undefined {
  if (minimum > maximum || (minimum === maximum && (isMinimumOut || isMaximumOut))) return undefined;
  const ends = {
    min: minimum === -Infinity ? -Number.MAX_VALUE : minimum,
    max: maximum === Infinity ? Number.MAX_VALUE : maximum,
    minExcluded: isMinimumOut,
    maxExcluded: isMaximumOut,
  };
  return fc.double({ ...ends, noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0));
}
