import { visible } from '../../reports/text/visible.ts';

/** Characters of a line at most. */
const columns = 100;

/**
 * A text as lines of comment, broken at spaces, but for lines that begin with four of them; what cannot be seen is spelled
 * out.
 *
 * @param mark - `//` or `#`
 */
export function commentLines(text: string, mark: string): readonly string[] {
  return visible(text, '\n')
    .split('\n')
    .flatMap((line) => (line.startsWith('    ') ? [line] : folded(line)).map((part) => `${mark} ${part}`.trimEnd()));
}

/** Later lines stand a little further to the right than the first. */
function folded(line: string): readonly string[] {
  const start = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let last = start;
  for (const word of line.slice(start.length).split(' ')) {
    const more = last.trim() === '' ? `${last}${word}` : `${last} ${word}`;
    if (last.trim() === '' || more.length <= columns) {
      last = more;
      continue;
    }
    lines.push(last);
    last = `${start}   ${word}`;
  }
  return [...lines, last];
}
