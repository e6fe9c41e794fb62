import { expect } from 'vitest';

import { leftOutOf, spokenVerdict, unique, type Facts } from './facts.ts';
import { markdownTokens, strongTexts, textOf } from './markdown.ts';

/** The facts of a run shown to an assistant. */
export function readPrompt(text: string): Partial<Facts> {
  const tokens = markdownTokens(text);
  const headings = tokens.flatMap(({ type }, at) => (type === 'heading_open' ? [textOf(tokens[at + 1])] : []));
  expect(headings.at(-1)).toBe('At the end');
  expect(tokens.at(-1)?.content).toMatch(/^\S/);
  const tasks = headings.flatMap((heading) => /^\d+\. .*: (\S+)$/.exec(heading)?.[1] ?? []);
  const [, failures = 0, warnings = 0] =
    /^Fix the webhook \w+: (?:(\d+) failures?)?(?:, )?(?:(\d+) warnings?)?$/.exec(headings[0] ?? '') ?? [];
  expect(tasks).toHaveLength(Number(failures) + Number(warnings));
  return {
    ...spokenVerdict(strongTexts(tokens)[0] ?? ''),
    failing: unique([...tasks, ...leftAlone(text)]),
    problems: [...text.matchAll(/^> \*\*(.*?)\*\*: /gm)].map(([, title = '']) => title),
    leftOut: leftOutOf(tokens.map(textOf).join('\n')),
  };
}

function leftAlone(text: string): readonly string[] {
  const [, list = ''] = /^## Leave these alone\n\n([^]*?)\n\n/m.exec(text) ?? [];
  return [...list.matchAll(/^- `+ ?(.*?) ?`+: it /gm)].map(([, id = '']) => id);
}
