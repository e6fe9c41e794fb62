/**
 * Whether an Accept header gives application/xml a higher weight than application/json (RFC 9110, 12.5.1). Of equal
 * ones JSON wins.
 */
export function prefersXml(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf);
  return weightOf('application/xml', ranges) > weightOf('application/json', ranges);
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1];
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

/** The most specific range decides. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const patterns = [type, `${type.split('/')[0]}/*`, '*/*'];
  const weights = patterns.map((pattern) => ranges.find((range) => range.type === pattern)?.weight);
  return weights.find((weight) => weight !== undefined) ?? 0;
}
