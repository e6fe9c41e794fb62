/** A part of a document that is shown whole or not at all. */
export interface Part {
  readonly text: string;
  /** What is missing without it: `the smallest case`. Parts with the same words are counted together. */
  readonly name: string;
}

/**
 * As many of the parts as fit, in their order, with a blank line between. What does not fit is said at the end.
 *
 * @param head - always there, so it has to be short
 * @param most - characters of the whole
 * @param rest - says how the rest can be seen: a sentence
 */
export function fitting(head: string, parts: readonly Part[], most: number, rest: string): string {
  const room = most - head.length - rest.length - noteRoom;
  const left = new Map<string, number>();
  const kept: string[] = [];
  let used = 0;
  for (const { text, name } of parts) {
    if (used + text.length + 2 <= room) {
      kept.push(text);
      used += text.length + 2;
    } else left.set(name, (left.get(name) ?? 0) + 1);
  }
  const note = left.size === 0 ? [] : [`_Left out, to stay short: ${named(left)}._ ${rest}`];
  return `${[head, ...kept, ...note].join('\n\n')}\n`;
}

/** Characters that the sentence about what was left out may take, beside `rest`. */
const noteRoom = 1000;

function named(left: ReadonlyMap<string, number>): string {
  return [...left].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(', ');
}

/** Characters that a comment on GitHub may have. */
export const commentLimit = 65_536;
