import fc from 'fast-check';
import { parse as junit2json } from 'junit2json';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';

import { isCommandLike } from '../../../../reports/formats/github/workflowCommand.ts';
import { jsonText } from '../../../../reports/text/jsonText.ts';
import { code, fence, htmlText, prose } from '../../../../reports/formats/markdown/markdownText.ts';
import { xmlDocument } from '../../../../reports/formats/junit/suite.ts';

const reader = new MarkdownIt({ html: true });
/** Text of lines, many of which a log would act on. */
const loud = fc
  .array(fc.constantFrom('::', '##[', '###[', 'error', ']', ' ', '\n', '\n  ::', '&', '<b>', '```', '`', ':'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** What is shown of HTML. */
function shownOf(html: string): string {
  return html
    .replaceAll(/<!--.*?-->|<[^>]*>/gs, '')
    .replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)))
    .replaceAll('&vert;', '|')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

test('what looks like a workflow command is spelled so that it is none, and is read as the same text', async () => {
  await fc.assert(
    fc.asyncProperty(loud, async (text) => {
      const json = jsonText({ text: [text] });
      expect(isCommandLike(json)).toBe(false);
      expect(JSON.parse(json)).toEqual({ text: [text] });
      const name = `a ${text.replaceAll('\n', ' ')} b`;
      const xml = xmlDocument({ name: 'testsuites', attributes: { name } });
      expect(isCommandLike(xml)).toBe(false);
      expect(await junit2json(xml)).toMatchObject({ name });
      const block = fence(text, 'text');
      expect(isCommandLike(block)).toBe(false);
      expect(shownOf(reader.render(block)).trim()).toBe(text.trim());
      for (const line of [prose(text), code(text), htmlText(text)]) expect(isCommandLike(line)).toBe(false);
      const flat = text.replaceAll(/\s+/g, ' ').trim();
      for (const line of [prose(text), code(text)])
        expect(shownOf(reader.renderInline(line)).replaceAll(/\s+/g, ' ').trim()).toBe(flat);
    }),
  );
});

test('lines of text in XML are no commands', async () => {
  const text = 'a\n  ::error::b\n\n::c:: ##[d]';
  const xml = xmlDocument({
    name: 'testsuites',
    children: [{ name: 'testsuite', children: [{ name: 'testcase', children: [{ name: 'failure', text }] }] }],
  });
  expect(isCommandLike(xml)).toBe(false);
  const failure = { testsuite: [{ testcase: [{ failure: [{ inner: text }] }] }] };
  expect(await junit2json(xml)).toMatchObject(failure);
});
