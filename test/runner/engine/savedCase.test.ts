import { describe, expect, it } from 'vitest';

import { caseOf } from '../../../runner/engine/savedCase.ts';

const saved = {
  seaworthy: 'case',
  format: 1,
  subject: 'receiver',
  kit: { name: 'seaworthy', version: '1.0.0' },
  check: 'receiver/acceptance/text',
  title: 'a title',
  requirements: ['RCV-2'],
  seed: 1,
  path: '0',
  intensity: 'quick',
  events: [],
  url: 'http://127.0.0.1/',
  options: {},
  env: [],
  expected: 'this',
  actual: 'that',
};

describe('what is no saved case is refused with the place, what stands there and what is valid', () => {
  it.each([
    [{ format: 2 }, '/format is 2; valid is 1'],
    [{ subject: 'reciever' }, '/subject is "reciever"; valid is one of receiver, service (did you mean "receiver"?)'],
    [{ seed: -1 }, '/seed is -1; valid is a whole number from 0 to 4294967295'],
    [{ kit: { name: 'seaworthy' } }, '/kit lacks the member "version"'],
    [{ events: 'all' }, '/events is "all"; valid is a list'],
  ])('%j', (change, words) => {
    expect(caseOf(saved, 'it')).toEqual(saved);
    expect(() => caseOf({ ...saved, ...change }, 'it.json')).toThrow(`it.json holds no saved case: ${words}`);
  });
});
