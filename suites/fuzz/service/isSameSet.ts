/** Whether a value is a list of exactly these texts, in whatever order. */
export function isSameSet(value: unknown, texts: readonly string[]): boolean {
  return Array.isArray(value) && value.length === texts.length && texts.every((text) => value.includes(text));
}
