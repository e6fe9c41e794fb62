/** The first line of a text, without the words at its end that introduce the lines behind it. */
export function firstLine(text: string): string {
  const [line = '', ...others] = text.split('\n');
  return others.length === 0 ? line : line.replace(/; [^;]*:$/, '');
}
