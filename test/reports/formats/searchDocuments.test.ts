import { expect, test } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { renderDocument } from '../../../reports/formats/index.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { headWords } from '../../../reports/text/verdictWords.ts';
import { finished } from '../madeUpRun.ts';
import { found, progressed, quietSearch, searchStarted } from '../madeUpSearch.ts';
import { shown } from '../shown.ts';

const options = { journal: '.seaworthy/runs/run-1.ndjson' };

/** A search that was killed while it shrank what it had seen. */
const killed: readonly RunEvent[] = [searchStarted(), progressed(), progressed({ cases: 1300, shrinking: 4 })];

function rendered(format: 'markdown' | 'github' | 'junit' | 'sarif' | 'json', events: readonly RunEvent[] = killed) {
  return renderDocument(format, { kind: 'run', summary: summarise(events) }, options);
}

test('a search that was killed while it shrank failures says so in every format', async () => {
  const sentence =
    'No failure confirmed in 1,300 sequences; seen and not confirmed: 4 that were being shrunk when the run was killed';
  const reported = 'It had seen 4 failures that it was shrinking, and could not report them.';
  const terminal = (await shown(killed)).replaceAll(/\s+/g, ' ');
  expect(terminal).toContain(sentence);
  expect(terminal).toContain('Failures 4 that were being shrunk when the run was killed');
  expect(terminal).not.toContain('That shows nothing');
  expect(terminal).toContain(reported);
  for (const format of ['markdown', 'github', 'sarif'] as const) expect(await rendered(format)).toContain(sentence);
  for (const format of ['markdown', 'github', 'sarif', 'junit', 'json'] as const) {
    expect(await rendered(format)).toContain(reported);
  }
  expect(JSON.parse(await rendered('json'))).toMatchObject({ search: { figures: { failures: 0, shrinking: 4 } } });
});

test('the heading of its page says it once', () => {
  expect(headWords(summarise(killed))).toEqual([
    'Incomplete',
    'This run was killed after 12.0 s. No failure confirmed in 1,300 sequences; seen and not confirmed: 4 that were being shrunk when the run was killed.',
  ]);
  expect(headWords(summarise([searchStarted(), progressed()]))).toEqual([
    'Incomplete',
    'This run was killed after 12.0 s. No failure found in 1,204 sequences.',
  ]);
});

test('what was reported since is no longer being shrunk, and what was reported before does not count', () => {
  const shrinking = (events: readonly RunEvent[]) => summarise(events).search?.figures.shrinking;
  const at = progressed({ cases: 1300, shrinking: 4 });
  expect(shrinking([...killed, found(), found()])).toBe(2);
  expect(shrinking([...killed, found(), at])).toBe(3);
  expect(shrinking([searchStarted(), found(), at])).toBe(4);
  expect(shrinking([...killed, found(), progressed({ cases: 1400, shrinking: 2 })])).toBe(2);
});

test('a search that came to its end was shrinking nothing', () => {
  const ended = [...killed, finished({ complete: true })];
  expect(summarise(ended).search?.figures).not.toHaveProperty('shrinking');
});

test('what there was no time to try again is not reported as what did not come again', async () => {
  const untried = found({ outcome: 'flaky', rate: { failed: 0, tries: 0 } });
  const flaky = found({ outcome: 'flaky', rate: { failed: 0, tries: 10 } });
  const text = (await shown([searchStarted(), untried, flaky, ...quietSearch().slice(1)])).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Failures 1 that did not come again, and 1 that was seen and not tried again');
  expect(text).toContain('No failure confirmed in 6,020 sequences');
});

test('in Markdown a search counts the requirements that it looks for, as on the page, and has no intensity', async () => {
  const text = await rendered('markdown', quietSearch());
  expect(text).toContain('All requirements: 4 of 4 requirements hold');
  expect(text).not.toContain('IDM-3');
  expect(text).toContain('; a search for 1 min 0 s, seed 42, 1 min 0 s.');
  expect(text).not.toContain('intensity');
});
