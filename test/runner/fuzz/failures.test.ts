import { expect, test } from 'vitest';

import { Failures } from '../../../runner/fuzz/failures.ts';

const counterexample = { summary: '' } as never;

/** What is known once this was confirmed. */
function knowing(requirement: string, ...kinds: readonly string[]): Failures {
  const failures = new Failures();
  const rate = { failed: 4, tries: 4 };
  failures.add({ requirement, cause: 'not-retried', kinds, outcome: 'failed', rate, counterexample });
  return failures;
}

function sortOf(requirement: string, ...kinds: readonly string[]) {
  return { requirement, cause: 'not-retried', kinds };
}

test('a failure spares the sequences that hold its steps and break the same', () => {
  const failures = knowing('DLV-4', 'create', 'emit');
  expect(failures.isNews(sortOf('DLV-4', 'create', 'list', 'emit'))).toBe(false);
  expect(failures.isNews(sortOf('DLV-4', 'create', 'update'))).toBe(true);
  expect(failures.isNews({ ...sortOf('DLV-4', 'create', 'emit'), cause: 'lost' })).toBe(true);
});

test('a failure of another requirement is looked at once where it may be the same mistake, else a few times', () => {
  const failures = knowing('STA-5', 'create', 'emit');
  const [like, unlike] = [sortOf('DLV-4', 'create', 'emit'), sortOf('DLV-4', 'create', 'update')];
  expect(failures.isNews(like)).toBe(true);
  failures.count(like);
  expect([failures.isNews(like), failures.isNews(unlike)]).toEqual([false, true]);
  for (let time = 0; time < 3; time += 1) failures.count(unlike);
  expect(failures.isNews(unlike)).toBe(false);
});
