import { expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import { code, fence, prose } from '../../../../reports/formats/markdown/markdownText.ts';
import { markdownReport } from '../../../../reports/formats/markdown/index.ts';
import { compareRuns } from '../../../../reports/model/compareRuns.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { crowdedRun } from '../../arbitraryRun.ts';
import { check, checkFinished, counterexample, failingRun, finished, started } from '../../madeUpRun.ts';
import { markdownTokens, textOf } from '../../readers/markdown.ts';

function report(run: readonly RunEvent[]): string {
  return markdownReport({ kind: 'run', summary: summarise(run) }, { journal: '.seaworthy/runs/run-1.ndjson' });
}

const hostile = [
  '</details></summary>\n\n# owned',
  '```\n~~~\n</code></pre>',
  '`` ` ``` ````',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '![x](http://evil.example/x.png) [click](javascript:alert(1)) https://evil.example www.evil.example',
  '@everyone a@evil.example #1 GH-1',
  '| a | b |\n| --- | --- |',
  '- [ ] task\n> quote\n1. one\n***\n===',
  '&lt;script&gt; &#60; &copy;',
  '$x$ ~~gone~~ __bold__ *it* \\',
  '\u0000\u001b[31m\u202e\ud800',
  ' `a` ',
];

test.each(hostile)('text is text: %j', (text) => {
  for (const [written, wanted] of [
    [`x ${prose(text)}`, `x ${visible(text.replaceAll(/[\n\r\t ]+/g, ' '))}`],
    [`x ${code(text)}`, `x ${visible(text.replaceAll(/[\n\r]+/g, ' '))}`],
  ] as const) {
    const tokens = markdownTokens(written);
    expect(tokens.map(({ type }) => type)).toEqual(['paragraph_open', 'inline', 'paragraph_close']);
    expect(textOf(tokens[1]).trimEnd()).toBe(wanted.trimEnd());
  }
  const [block, ...others] = markdownTokens(fence(text, 'text'));
  expect(others).toEqual([]);
  expect(block).toMatchObject({ type: 'fence', info: 'text', content: `${visible(text, '\n')}\n` });
});

test('a hostile case stays folded, in its block', () => {
  const text = hostile.join('\n');
  const found = counterexample({ summary: text, expected: text, actual: text, hint: text, curl: text, file: text });
  const run = [
    started({ checks: [check('t/a', text, ['VRF-3'])] }),
    checkFinished('t/a', 'failed', { counterexample: found }),
    finished(),
  ];
  const tokens = markdownTokens(report(run));
  expect(tokens.filter(({ type }) => type === 'heading_open')).toHaveLength(2);
  expect(tokens.filter(({ type }) => type === 'table_open')).toHaveLength(2);
});

test.each(hostile)('an outcome that a journal makes up is text in a comparison: %j', (text) => {
  const run = (outcome: string) =>
    summarise([
      started({ checks: [check('t/a', 'a', ['VRF-3'])] }),
      checkFinished('t/a', outcome as 'passed'),
      finished(),
    ]);
  const compared = (outcome: string) =>
    markdownReport({ kind: 'comparison', comparison: compareRuns(run('passed'), run(outcome)) }, {});
  const types = (shown: string) => markdownTokens(shown).map(({ type }) => type);
  expect(types(compared(text))).toEqual(types(compared('made-up')));
  const row = compared(text)
    .split('\n')
    .find((line) => line.includes('t/a'));
  expect(textOf(markdownTokens(row!)[1])).toContain(
    visible(text.replaceAll(/[\n\r\t ]+/g, ' '))
      .slice(0, 50)
      .trim(),
  );
});

test('stays as short as a comment may be, and says what was left out and how to see it', () => {
  const text = report(crowdedRun(400, '@'.repeat(500)));
  markdownTokens(text);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.length).toBeGreaterThan(50_000);
  expect(text.trimEnd().split('\n').at(-1)).toMatch(
    /^_Left out, to stay short: smallest cases \(\d+\).*\._ All of it: `seaworthy report \.seaworthy\/runs\/run-1\.ndjson --report html=report\.html`$/,
  );
});

test('a run that was killed says so before anything else, and what it was at', () => {
  const text = report(failingRun().slice(0, 12));
  expect(text.indexOf('**This report is incomplete.**')).toBeLessThan(text.indexOf('<details>'));
  expect(text).toContain('receiver/timing/answers-in-time');
  expect(text).toMatch(/^## ⚠&#xFE0F; /);
});

test('lines to be pasted are whole or not there', () => {
  const long = counterexample({ curl: `curl ${'x'.repeat(7000)}` });
  const run = [
    started({ checks: [check('t/a', 'a', ['VRF-3'])] }),
    checkFinished('t/a', 'failed', { counterexample: long }),
    finished(),
  ];
  expect(report(run)).not.toContain('curl');
  expect(report(failingRun())).toContain('curl -sS -i');
});
