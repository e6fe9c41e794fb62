/** Levels of lists and objects within each other that are read where nothing else is said. */
export const usualDepth = 256;

/** Thrown for a text whose values nest too deeply: whatever walks through them would run out of stack. */
export class TooDeep extends SyntaxError {
  override readonly name = 'TooDeep';

  constructor(depth: number) {
    super(`Its values nest deeper than ${depth} levels.`);
  }
}

/**
 * The value of a JSON text that came from elsewhere. Whatever reads what a target sent, or a file, reads it by this.
 *
 * @param depth - levels of lists and objects that may stand within each other. Default 256
 * @throws SyntaxError for what is no JSON; TooDeep before anything is made of what nests deeper
 */
export function parseJson(text: string, depth = usualDepth): unknown {
  if (isDeep(text, depth)) throw new TooDeep(depth);
  return JSON.parse(text);
}

const [quote, backslash, openList, closeList, openObject, closeObject] = Array.from('"\\[]{}').map((sign) =>
  sign.charCodeAt(0),
);

/** Whether the values of a JSON text nest deeper than so many levels. Of other texts it says something or other. */
export function isDeep(text: string, depth: number): boolean {
  if (!opensMore(text, depth)) return false;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openList || code === openObject) level += 1;
    else if (code === closeList || code === closeObject) level -= 1;
    if (level > depth) return true;
  }
  return false;
}

/** Whether it has more signs that open a list or an object: most texts have few, and are not read character by character. */
function opensMore(text: string, depth: number): boolean {
  let left = depth;
  for (const sign of ['{', '['])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) if ((left -= 1) < 0) return true;
  return false;
}

/** Where a string ends that begins there; the end of the text where it does not. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
