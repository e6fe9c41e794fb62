import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { agreement as agreementOf, type Traits, TraitsOfMany } from '../../../runner/engine/agreement.ts';
import { shownBeside } from '../../../runner/engine/checkEnd.ts';
import type { Found, Trial } from '../../../runner/engine/trial.ts';
import { traitsOf } from '../../../runner/receiver/caseAttempts.ts';
import type { Delivery } from '../../../suites/delivery.ts';

const [one, other] = [fc.constant(1), fc.constant(2)];
const held: Trial<Found> = { kind: 'held' };
const open: Trial<Found> = { kind: 'unproven', reason: 'no twin', final: false };
const breaks = (...requirements: readonly string[]): Trial<Found> => ({
  kind: 'broken',
  finding: { requirements, absence: false, actual: '' },
});

describe('what a check that failed shows to hold all the same', () => {
  const shown = (planned: number, ...tried: readonly (readonly [Arbitrary<number>, Trial<Found>])[]) =>
    shownBeside(
      { requirements: ['A-1', 'A-2'], planned },
      tried.map(([arbitrary, trial]) => ({ case: { arbitrary }, trial })),
    );

  test('a requirement that no finding names, where each kind of case has one that passed', () => {
    expect(shown(3, [one, breaks('A-1')], [one, held], [other, held])).toEqual(['A-2']);
  });

  test('nothing where a kind never passed, a case is undecided, or not all was tried', () => {
    expect(shown(2, [one, breaks('A-1')], [other, held])).toEqual([]);
    expect(shown(3, [one, breaks('A-1')], [one, held], [one, open])).toEqual([]);
    expect(shown(3, [one, breaks('A-1')], [one, held])).toEqual([]);
  });

  test('nothing that another finding names', () => {
    expect(shown(3, [one, breaks('A-1')], [one, breaks('A-2')], [one, held])).toEqual([]);
  });
});

function agreement(broken: readonly Traits[], held: readonly Traits[]): string | undefined {
  const all = new TraitsOfMany();
  for (const each of held) all.add(each);
  return agreementOf(broken, all);
}

/** So many have to pass before anything is said of what they are not. */
const thrice = (traits: Traits): readonly Traits[] => [traits, traits, traits];

describe('in what all failing cases agree', () => {
  const traits = (event: string, header: readonly string[] = [], bytes = 100): Traits => {
    return { values: { event: [event], header }, bytes, requests: 1 };
  };

  test('an event, a header, a size', () => {
    expect(agreement([traits('a'), traits('a')], thrice(traits('b')))).toBe('all with the event a');
    expect(agreement([traits('a', ['X']), traits('b', ['X'])], [traits('a'), ...thrice(traits('b'))])).toBe(
      'all with the header X',
    );
    expect(agreement([traits('a', [], 900), traits('b', [], 800)], [traits('a'), ...thrice(traits('b'))])).toBe(
      'all with a body of 800 bytes or more',
    );
  });

  test('one of few values, each of which occurs more than once', () => {
    const broken = ['a', 'b', 'b', 'a'].map((event) => traits(event));
    const held = ['c', 'd', 'c'].map((event) => traits(event));
    expect(agreement(broken, held)).toBe('all with the event a or b');
    expect(agreement([...broken, traits('c')], held)).toBeUndefined();
    expect(agreement([...broken, traits('e')], held)).toBeUndefined();
    // Nine of ten cases fail, whatever the event: the one that passes has one of four events, too.
    expect(agreement(broken, [traits('c')])).toBeUndefined();
  });

  test('nothing, where few cases passed: all of them may be otherwise by chance', () => {
    expect(agreement([traits('a'), traits('a')], [traits('b'), traits('b')])).toBeUndefined();
  });

  test('values that differ from case to case are no agreement', () => {
    expect(agreement([traits('a'), traits('b')], thrice(traits('c')))).toBeUndefined();
    expect(agreement([traits('a'), traits('a')], [])).toBeUndefined();
  });
});

test('a plain delivery that is sent beside a case says nothing of the case', () => {
  const control = 'plain';
  const sent = (event: string): Delivery => ({ id: '1', event, method: 'POST', headers: [], body: Buffer.from('{}') });
  const traits = (...events: readonly string[]) => traitsOf(events.map(sent), control);
  // What was refused is followed by a plain delivery, what was accepted is not.
  expect(agreement([traits('a', control), traits('b', control), traits(control)], thrice(traits('c')))).toBeUndefined();
  expect(agreement([traits(control), traits(control)], thrice(traits('c')))).toBe('all with the event plain');
});
