/** The ways in which a number can be spelled otherwise than by `JSON.stringify`. */
export const numberSpellings = ['fraction', 'exponent', 'shifted'] as const;

export type NumberSpelling = (typeof numberSpellings)[number];

interface Parts {
  readonly sign: string;
  readonly integer: string;
  readonly fraction: string;
  readonly exponent: number;
  /** The exponent as it stands in the compact text, with its `e`; empty where there is none. */
  readonly suffix: string;
}

/**
 * Spells a finite number in another way that RFC 8259 allows. The decimal value stays exactly the same, so every parser
 * reads the same double, and the text always differs from that of `JSON.stringify`.
 *
 * @example
 * spellNumber(1, 'fraction') // '1.0'
 * spellNumber(1, 'exponent') // '1e0'
 * spellNumber(1, 'shifted')  // '10E-1'
 */
export function spellNumber(value: number, spelling: NumberSpelling): string {
  const compact = JSON.stringify(value);
  const parts = takeApart(compact);
  if (spelling === 'fraction') return `${parts.sign}${parts.integer}.${parts.fraction}0${parts.suffix}`;
  if (spelling === 'exponent') return withExponent(parts, compact);
  const digits = `${parts.integer}${parts.fraction}0`.replace(/^0+(?=\d)/, '');
  return `${parts.sign}${digits}E${parts.exponent - parts.fraction.length - 1}`;
}

function withExponent({ sign, integer, fraction, exponent }: Parts, compact: string): string {
  const mantissa = fraction === '' ? `${sign}${integer}` : `${sign}${integer}.${fraction}`;
  const text = `${mantissa}e${exponent}`;
  return text === compact ? text.replace('e', 'E') : text;
}

function takeApart(compact: string): Parts {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(compact);
  if (match === null) throw new RangeError(`${compact} is no finite number: JSON has no other spelling of it.`);
  const [, sign = '', integer = '', fraction = '', exponent] = match;
  const suffix = exponent === undefined ? '' : `e${exponent}`;
  return { sign, integer, fraction, exponent: Number(exponent ?? 0), suffix };
}
