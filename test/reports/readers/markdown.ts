import MarkdownIt, { type Token } from 'markdown-it';
import { expect } from 'vitest';

import {
  leftOutOf,
  rowText,
  spokenVerdict,
  unique,
  type ComparisonFacts,
  type Facts,
  type MatrixFacts,
} from './facts.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

const reader = new MarkdownIt({ html: true, linkify: true });

/** A Markdown report as a renderer takes it apart; nothing in it is markup that the kit did not write. */
export function markdownTokens(text: string): readonly Token[] {
  const tokens = reader.parse(text, {});
  const inline = tokens.flatMap(({ children }) => children ?? []);
  const blocks = tokens.filter(({ type }) => type === 'html_block').map(({ content }) => content.trim());
  const html = blocks.filter((block) => !/^<pre>\n[^<]*<\/pre>$/.test(block));
  for (const block of html) expect(block).toMatch(/^(?:<details>\n<summary>.*<\/summary>|<\/details>)$/);
  for (const block of html) expect(block.replaceAll(/<\/?(?:details|summary|code)>/g, '')).not.toContain('<');
  expect(html.filter((block) => block === '</details>')).toHaveLength(html.length / 2);
  for (const { content } of inline.filter(({ type }) => type === 'html_inline'))
    expect(content).toMatch(/^(?:<!-- -->|<\/?code>)$/);
  expect(inline.filter(({ type }) => type === 'link_open' || type === 'image')).toEqual([]);
  for (const { content } of inline.filter(({ type }) => type === 'text')) expect(content).not.toMatch(/@\S/);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  return tokens;
}

/** The facts of a run shown in Markdown. */
export function readMarkdown(text: string, { search, requirements: all }: RunSummary): Partial<Facts> {
  const tokens = markdownTokens(text);
  const [counts = [], ...others] = tablesOf(tokens);
  const requirements = others.find(([head]) => head?.at(-1) === 'Outcome') ?? [];
  const bold = strongTexts(tokens);
  const [, ...row] = counts[1] ?? [];
  const reported = requirements.slice(1).map(([id, , , outcome]) => `${id} ${outcome}`);
  // A search leaves out what it does not look for.
  const left = search === undefined ? [] : all.filter(({ checks }) => checks.length === 0);
  return {
    ...spokenVerdict(bold[0] ?? ''),
    counts: row.slice(0, 6).map((cell) => Number(cell.replaceAll(',', ''))),
    leftOut: leftOutOf(tokens.map(textOf).join('\n')),
    requirements: inOrder([...reported, ...left.map(({ id }) => `${id} not-observed`)], all),
    failing: unique(
      [...text.matchAll(/^<summary>(?:Failure|Warning|Did not come again): <code>(.*?)<\/code>/gm)].map(
        ([, id = '']) => id,
      ),
    ),
    problems: quotedTexts(tokens),
    expectations: expectationsIn(tokens),
  };
}

/** The facts of two runs compared. */
export function readMarkdownComparison(text: string): Partial<ComparisonFacts> {
  const tables = tablesOf(markdownTokens(text));
  const rows = tables.find(([head]) => head?.[0] === 'Requirement')?.slice(1) ?? [];
  return {
    regressed: /^## ❌ .*: a regression$/m.test(text),
    changes: rows.map((cells) => `${cells[0]} ${cells.at(-1)}`),
  };
}

/** The facts of several targets. */
export function readMarkdownMatrix(text: string): Partial<MatrixFacts> {
  const [table = []] = tablesOf(markdownTokens(text));
  return {
    targets: (table[0]?.length ?? 0) - 2,
    rows: table.slice(1).map(([id = '', , ...outcomes]) =>
      rowText(
        id,
        outcomes.map((one) => one.split(' ')[1]),
      ),
    ),
  };
}

function inOrder(reported: readonly string[], all: RunSummary['requirements']): readonly string[] {
  const place = (text: string): number => all.findIndex(({ id }) => text.startsWith(`${id} `));
  return reported.toSorted((one, other) => place(one) - place(other));
}

/** The cells of each table, its head first. */
function tablesOf(tokens: readonly Token[]): readonly (readonly (readonly string[])[])[] {
  const tables: string[][][] = [];
  for (const [at, { type }] of tokens.entries()) {
    if (type === 'table_open') tables.push([]);
    if (type === 'tr_open') tables.at(-1)?.push([]);
    if (type === 'th_open' || type === 'td_open')
      tables
        .at(-1)
        ?.at(-1)
        ?.push(textOf(tokens[at + 1]));
  }
  return tables;
}

/** The text of an inline token as it is shown. */
export function textOf(token: Token | undefined): string {
  const children = token?.children ?? [];
  return children.map(({ type, content }) => (type === 'html_inline' ? '' : content)).join('');
}

export function strongTexts(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ children }) => strongIn(children ?? []));
}

function strongIn(children: readonly Token[]): readonly string[] {
  return children.flatMap(({ type }, at) => {
    if (type !== 'strong_open') return [];
    const end = children.findIndex((token, index) => index > at && token.type === 'strong_close');
    return [
      children
        .slice(at + 1, end)
        .map((token) => (token.type === 'html_inline' ? '' : token.content))
        .join(''),
    ];
  });
}

/** What is bold in the list of a quote: the titles of what ended the run early. */
function quotedTexts(tokens: readonly Token[]): readonly string[] {
  const start = tokens.findIndex(({ type }) => type === 'blockquote_open');
  const end = tokens.findIndex(({ type }) => type === 'blockquote_close');
  const items = tokens.slice(start + 1, end).filter((_, at, quoted) => {
    return quoted.slice(0, at).some(({ type }) => type === 'list_item_open');
  });
  return start === -1 ? [] : strongTexts(items);
}

const outcomes = {
  'fails as expected': 'fails',
  'holds now': 'passes',
  'was not tested': 'not-tested',
  'left it out of this run': 'left-out',
  'has expired': 'expired',
  'names no requirement and no check': 'unknown',
} as const;

function expectationsIn(tokens: readonly Token[]): readonly string[] {
  const found: string[] = [];
  let under = '';
  for (const [at, { type }] of tokens.entries()) {
    if (type === 'html_block') under = '';
    if (type === 'heading_open') under = textOf(tokens[at + 1]);
    if (type !== 'list_item_open' || !/expect/i.test(under)) continue;
    const line = tokens[at + 2];
    const [id = ''] = strongIn(line?.children ?? []);
    const rest = textOf(line).slice(id.length + 1);
    const outcome = Object.entries(outcomes).find(([words]) => rest.slice(0, 40).includes(words))?.[1];
    found.push(`${id} ${outcome}`);
  }
  return found.toSorted();
}
