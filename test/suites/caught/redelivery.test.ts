import { describe, expect, test } from 'vitest';

import { redeliveryChecks } from '../../../suites/caught/redelivery.ts';
import type { CaughtKit } from '../../../suites/caught/caughtCheck.ts';
import type { Caught, CatchStep } from '../../../suites/exchange.ts';

const refused: CatchStep = { do: 'respond', status: 503 };
const kit = { schedule: [2000, 60_000] } as unknown as CaughtKit;

/** What a check says of an attempt that came so long after the last of these, which ended a second after it arrived. */
function judged(name: string, waited: number, ...steps: readonly CatchStep[]): unknown {
  const earlier = steps.map((step) => ({ at: 5000, end: { at: 6000 }, step }) as Caught);
  const check = redeliveryChecks.find(({ id }) => id === `caught/redelivery/${name}`)!;
  const said = check.judge(kit, { caught: { at: 6000 + waited } as Caught, earlier });
  return typeof said === 'string' ? said : said.actual;
}

describe('a pause is that of the schedule', () => {
  test.each([
    [2000, [refused], 'right'],
    [4900, [refused], 'right'],
    [700, [refused], 'it came 700ms after it'],
    [5100, [refused], 'it came 5.1s after it'],
    [2000, [refused, refused], 'it came 2s after it'],
    [60_000, [refused, refused], 'right'],
    [60_000, [refused, refused, refused], 'right'],
    [2000, [], 'not asked'],
    [2000, [{ ...refused, headers: [['Retry-After', '9']] }], 'not asked'],
  ] as const)('%i ms after %j: %s', (waited, steps, said) => {
    expect(judged('spacing', waited, ...steps)).toBe(said);
  });
});

describe('a pause is that of Retry-After', () => {
  test.each([
    [9000, '9', 'right'],
    [3000, '9', 'the pause was 3s, shorter than Retry-After asked for'],
    [3000, 'soon', 'not asked'],
  ] as const)('%i ms after %s: %s', (waited, asked, said) => {
    expect(judged('retry-after', waited, { ...refused, headers: [['retry-after', asked]] })).toBe(said);
  });
});
