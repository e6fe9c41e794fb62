import type { ReportedContract } from '../../model/selectionEvents.ts';
import { citation } from '../../text/citation.ts';
import { visible } from '../../text/visible.ts';
import { isCommandLike, quietMarkup } from '../github/workflowCommand.ts';
import type { RunSummary, CheckResult } from '../../model/runSummary.ts';
import { amount } from '../../text/amount.ts';
import { byReason, unexplained } from '../../model/unobserved.ts';

/**
 * Text in a line of Markdown that shows as itself: no markup, no HTML, no link, nobody mentioned, no issue referred to.
 * Line feeds become spaces.
 *
 * @param most - characters, before they are escaped; what is more is cut off and shown as `…`
 */
export function prose(text: string, most = 600): string {
  return cut(visible(text.replaceAll(/[\n\r\t ]+/g, ' ')), most)
    .replaceAll(/[\\`*_[\]~$^]/g, '\\$&')
    .replaceAll(/[&<>|]/g, (character) => entities[character] ?? '')
    .replaceAll(/@|:\/(?=\/)|#(?=\d)|\bGH(?=-\d)|\bwww(?=\.)/gi, '$&<!-- -->')
    .replace(/^( *):(?=:)/, '$1&#58;');
}

/** Where a contract says something: an address as code, which shows it as it is and makes no link of it. */
export function cited(section: string): string {
  return /^https?:/i.test(section) ? code(section, 300) : prose(citation(section), 120);
}

/** What a target was tested against. */
export function contractProse({ title, version, source }: ReportedContract): string {
  return `${prose(title, 100)} ${prose(version, 40)}${source === undefined ? '' : ` (${cited(source)})`}`;
}

/** The same for the inside of an HTML element, where Markdown is not read. */
export function htmlText(text: string, most = 600): string {
  return quietMarkup(
    cut(visible(text.replaceAll(/[\n\r\t ]+/g, ' ')), most).replaceAll(
      /[&<>|]/g,
      (character) => entities[character] ?? '',
    ),
  );
}

/** A code span. Line feeds become spaces. */
export function code(text: string, most = 600): string {
  const shown = cut(visible(text.replaceAll(/[\n\r]+/g, ' ')), most);
  if (shown === '') return '';
  if (isCommandLike(shown)) return `<code>${prose(shown, most + 1)}</code>`;
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const pad = /^`|`$|^ .*[^ ].* $/.test(shown) ? ' ' : '';
  return ticks + pad + shown + pad + ticks;
}

/** A fenced block that nothing in the text can end. */
export function fence(text: string, language: 'text' | 'sh'): string {
  const shown = visible(text, '\n');
  // Nothing within a fence can be spelled in another way.
  if (isCommandLike(shown))
    return `<pre>\n${quietMarkup(shown.replaceAll(/[&<>]/g, (each) => entities[each] ?? ''))}\n</pre>`;
  const ticks = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}${language}\n${shown}\n${ticks}`;
}

/** A folded part. The blank lines let Markdown be read inside. @param title - HTML */
export function folded(title: string, content: string): string {
  return `<details>\n<summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/** A table of cells that are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text, or its beginning and `…` where it is longer than so many characters. */
export function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&vert;' };

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

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

/** What was not observed, with the reason, which says what would make it observable; folded. */
export function unobservedParts(summary: RunSummary): readonly Part[] {
  const { checks } = summary;
  return [
    ...reasonPart('Not observed', 'not-observable', checks),
    ...reasonPart('Inconclusive', 'inconclusive', checks),
    ...unexplainedPart(summary),
    ...reasonPart('Errors of the kit itself', 'errored', checks),
  ];
}

/** The undecided requirements that no check above explains. */
function unexplainedPart(summary: RunSummary): readonly Part[] {
  const groups = [...Map.groupBy(unexplained(summary), ({ reason }) => reason)];
  if (groups.length === 0) return [];
  const count = groups.reduce((sum, [, rows]) => sum + rows.length, 0);
  const lines = groups.map(([reason, rows]) => {
    return `- ${rows.map(({ id, outcome }) => `${prose(id, 60)} (${outcome})`).join(', ')}: ${prose(reason, 400)}`;
  });
  const text = folded(`Also undecided: ${amount(count, 'requirement')}`, lines.join('\n'));
  return [{ text, name: 'what is under “Also undecided”' }];
}

const most = 40;

function reasonPart(
  title: string,
  outcome: 'not-observable' | 'inconclusive' | 'errored',
  checks: readonly CheckResult[],
): readonly Part[] {
  const groups = byReason(checks, outcome);
  if (groups.length === 0) return [];
  const mine = groups.flatMap((group) => group.checks);
  const lines = groups.slice(0, most).map((group) => `- ${prose(group.reason, 300)}: ${namesOf(group.checks)}`);
  const more = groups.length > most ? [`- ${amount(groups.length - most, 'more reason')}`] : [];
  const text = folded(`${title}: ${amount(mine.length, 'check')}`, [...lines, ...more].join('\n'));
  return [{ text, name: `what is under “${title}”` }];
}

function namesOf(members: readonly CheckResult[]): string {
  const ids = members.slice(0, 6).map(({ id, requirements }) => {
    return `${code(id, 100)} (${requirements.map((name) => prose(name, 40)).join(', ')})`;
  });
  return [...ids, ...(members.length > 6 ? [`and ${amount(members.length - 6, 'more check')}`] : [])].join(', ');
}
