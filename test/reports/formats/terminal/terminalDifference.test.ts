import { expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { terminalReport } from '../../../../reports/formats/terminal/terminalReport.ts';
import { answered, attempt, failingRun } from '../../madeUpRun.ts';
import { paper } from '../../paper.ts';

test('a difference between two deliveries is marked where it is', () => {
  const lines = (name: string, twin: string, found: string): string => {
    const events = failingRun().map((event): RunEvent => {
      if (event.type !== 'check.finished' || event.counterexample?.exchange.twin === undefined) return event;
      const exchange = { attempts: [attempt(found, answered(200))], twin: attempt(twin, answered(200)) };
      return { ...event, counterexample: { ...event.counterexample, exchange } };
    });
    const report = terminalReport(summarise(events), paper());
    return `${name}\n${/^ +accepted {2}.*\n.*this one {2}.*\n.*/m.exec(report)?.[0] ?? 'none is marked'}`;
  };
  const marked = [
    lines('one character more', '{"a":1}', '{"a":12}'),
    lines('one character less', '{"a":12}', '{"a":1}'),
    lines('an escape', '{"a":"\u2028"}', '{"a":"\\u2028"}'),
    lines('a byte that cannot be seen', 'a', 'a\0'),
    lines('far inside', `${'x'.repeat(500)}1${'y'.repeat(500)}`, `${'x'.repeat(500)}2${'y'.repeat(500)}`),
    lines('behind wide characters', '"漢字"', '"漢字 "'),
    lines('beside other ids', '"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"', '"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1" '),
    lines('in the ids alone', '"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"', '"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1"'),
    lines('nowhere', '{}', '{}'),
  ];
  expect(marked.join('\n')).toMatchInlineSnapshot(`
    "one character more
      accepted  {"a":1}
      this one  {"a":12}
                      ^
    one character less
      accepted  {"a":12}
      this one  {"a":1}
                      ^
    an escape
      accepted  {"a":"<U+2028>"}
      this one  {"a":"\\u2028"}
                      ^^^^^^
    a byte that cannot be seen
      accepted  a
      this one  a<U+0000>
                 ^^^^^^^^
    far inside
      accepted  …xxxxxxxxxxxxxxxxxxxxx1yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
      this one  …xxxxxxxxxxxxxxxxxxxxx2yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
                                      ^
    behind wide characters
      accepted  "漢字"
      this one  "漢字 "
                     ^
    beside other ids
      accepted  …4c-8a05-a2f1a5a3b2c1"
      this one  …4c-8a05-a2f1a5a3b2c1" 
                                      ^
    in the ids alone
      accepted  "0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"
      this one  "dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1"
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    nowhere
    none is marked"
  `);
});
