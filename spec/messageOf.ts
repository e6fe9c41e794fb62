/** What was thrown, in words: the message of an error, and the text of anything else. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
