import { stripVTControlCharacters } from 'node:util';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { summarise } from '../../../../reports/model/summary.ts';
import { isUntested } from '../../../../reports/formats/terminal/closing.ts';
import { textWidth } from '../../../../reports/formats/terminal/page.ts';
import { generatedRun } from '../../generatedRun.ts';
import { shown } from '../../shown.ts';

/** What is to be pasted into a shell must not be broken, so it may be wide. */
function withoutPasted(text: string): string {
  return text.replaceAll(
    /(To (?:see it again in a shell|try this very case again|repeat this check alone):\n\n)[\s\S]*?\n\n/g,
    '$1\n',
  );
}

describe('whatever the run', () => {
  test('no line is wider than the page, save those to be pasted', async () => {
    await fc.assert(
      fc.asyncProperty(generatedRun, fc.integer({ min: 40, max: 100 }), async (run, columns) => {
        const lines = withoutPasted(await shown(run, { columns })).split('\n');
        expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('nothing of the target gets through to the terminal, with colours or without', async () => {
    await fc.assert(
      fc.asyncProperty(generatedRun, fc.boolean(), async (run, colors) => {
        const text = await shown(run, { colors });
        const own = colors ? stripVTControlCharacters(text) : text;
        expect(own.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(own).toBe(await shown(run));
      }),
      { numRuns: 200 },
    );
  });

  test('its counts and outcomes are those of the summary', async () => {
    await fc.assert(
      fc.asyncProperty(generatedRun, async (run) => {
        const text = await shown(run);
        const whole = summarise(run);
        const { summary, checks, requirements } = whole;
        // Where nothing was tested, the report says only why.
        fc.pre(!isUntested(whole));
        const number = (word: string): number =>
          Number(new RegExp(`Checks {8}.*?(\\d+) ${word}`, 's').exec(text)?.[1] ?? 0);
        expect([number('passed'), number('failed'), number('warned'), number('errored')]).toEqual([
          summary.passed,
          summary.failed,
          summary.warned,
          summary.errored,
        ]);
        const found = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
        expect(text.match(/^── (?:failure|warning) \d+ of/gm) ?? []).toHaveLength(found.length);
        const table = text.slice(text.lastIndexOf('\nRequirements\n'));
        for (const { id, outcome } of requirements)
          expect(table).toMatch(new RegExp(`${id} (?:MUST|SHOULD|MAY) +${outcome}`));
      }),
      { numRuns: 200 },
    );
  });
});
