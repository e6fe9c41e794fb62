import { expect, test } from 'vitest';

import { compareRuns } from '../../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../../reports/model/document.ts';
import { renderDocument } from '../../../reports/formats/index.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { headWords, verdictLine } from '../../../reports/text/verdictWords.ts';
import { check, checkFinished, failingRun, finished, started } from '../madeUpRun.ts';

const begun = [started({ checks: [check('t/a', 'a', ['VRF-3'])] }), checkFinished('t/a', 'passed')];
const killed = summarise(begun);
const whole = summarise([...begun, finished()]);

test('that a run did not come to its end stands before its verdict', () => {
  expect(verdictLine(killed)).toBe(
    'Incomplete: this run was killed after 1.0 s. Inconclusive: 1 of 5 MUSTs observed, none broken (exit code 3)',
  );
  expect(verdictLine(whole)).toBe('Inconclusive: 1 of 5 MUSTs observed, none broken (exit code 0)');
  expect(verdictLine(summarise([...begun, finished({ complete: false, interrupted: true })]))).toMatch(
    /^Incomplete: this run was interrupted after .*\. Inconclusive: .* \(exit code 130\)$/,
  );
  expect(headWords(killed)).toEqual([
    'Incomplete',
    'This run was killed after 1.0 s. Inconclusive: 1 of 5 MUSTs observed, none broken.',
  ]);
});

test('where the target does not conform it stands after it: no end would change that', () => {
  const broken = summarise(failingRun().slice(0, -1));
  expect(verdictLine(broken)).toMatch(/^Does not conform: .*\. This run was killed after .* \(exit code 1\)$/);
  expect(headWords(broken)[0]).toBe('Does not conform');
});

const documents: readonly ReportDocument[] = [
  { kind: 'matrix', summaries: [whole, killed] },
  { kind: 'comparison', comparison: compareRuns(whole, killed) },
];

test.each(documents)('a $kind says it in every format that has verdicts', async (document) => {
  for (const format of ['terminal', 'markdown', 'github', 'sarif'] as const) {
    const text = (await renderDocument(format, document)).replaceAll(/\s+/g, ' ');
    expect({ format, reported: text.match(/Incomplete: this run was killed/g)?.length }).toEqual({
      format,
      reported: 1,
    });
  }
});
