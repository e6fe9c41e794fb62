/** Lines under a label that stands in a column of its own, as they are. */
export function under(label: string, lines: readonly string[], column = 10): readonly string[] {
  return lines.map((line, index) => (index === 0 ? label : '').padEnd(column) + line);
}
