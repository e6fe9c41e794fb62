/** A number with its noun, as sentences have it: `1 time`, `3 times`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
