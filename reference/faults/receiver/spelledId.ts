/** The first id that stands in a text, which may be no JSON, or only the beginning of it. */
export function spelledId(text: string): string | undefined {
  return /["']id["']\s*:\s*["']([^"']+)["']/.exec(text)?.[1];
}
