/**
 * The pattern without its look-arounds, for which strings can be made that have to be tried against the pattern itself.
 * Undefined where it has none.
 */
export function withoutLookaround(pattern: string): string | undefined {
  let easier = '';
  for (let rest = pattern; rest !== '';) {
    const length = /^\(\?<?[=!]/.test(rest) ? groupLength(rest) : 0;
    const [token] = /^(\\.|\[(?:[^\]\\]|\\.)*\]|.)/su.exec(rest) ?? [rest];
    if (length === 0) easier += token;
    rest = rest.slice(length === 0 ? token.length : length);
  }
  return easier === pattern ? undefined : easier;
}

/** How long the group is that a text begins with. */
function groupLength(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[()]/gsu)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0) return index + token.length;
  }
  return text.length;
}

/** Beyond the least, a text that may be of any length is at most this much longer. */
const usual = 10;

/**
 * The pattern of one character repeated, such as `^[a-z0-9]+$`, as one that says how often. Undefined for any other.
 *
 * @param most - may be Infinity
 */
export function withLength(pattern: string, least: number, most: number): string | undefined {
  const [, character, sign] = /^\^(\[(?:[^\]\\]|\\.)+\]|\\[dw])([*+])\$$/su.exec(pattern) ?? [];
  if (character === undefined) return undefined;
  const from = Math.max(least, sign === '+' ? 1 : 0);
  return from > most ? undefined : `^${character}{${from},${Math.min(most, from + usual)}}$`;
}
