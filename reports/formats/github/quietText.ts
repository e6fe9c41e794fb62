/**
 * What the log of a job of GitHub Actions would take for a workflow command: `::` at the start of a line, or the older
 * spelling anywhere in it. Reports that are written to a log spell it in another way, which every reader takes for the
 * same text.
 */
export function isCommandLike(text: string): boolean {
  return /^\s*::|##\[/mu.test(text);
}

/** Text of an XML or HTML document, escaped already, with entities in place of what looks like a command. */
export function quietMarkup(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gmu, '$1&#58;').replaceAll('##[', '#&#35;[');
}
