import { describe, expect, it } from 'vitest';

import { selectChecks } from '../../../runner/options/selection.ts';

const checks = [
  { id: 'receiver/signature/forged', requirements: ['VRF-2'] },
  { id: 'receiver/signature/changed', requirements: ['VRF-3', 'VRF-2'] },
  { id: 'receiver/idempotency/once', requirements: ['IDM-2'] },
] as const satisfies readonly { id: string; requirements: readonly [string, ...string[]] }[];

function selected(only: readonly string[], skip: readonly string[] = []): readonly string[] {
  return selectChecks(checks, { only, skip }).map(({ id }) => id);
}

describe('selectChecks', () => {
  it('takes all where nothing is said', () => {
    expect(selected([])).toEqual(checks.map(({ id }) => id));
  });

  it.each([
    { only: ['VRF-3'], ids: ['receiver/signature/changed'] },
    { only: ['VRF-2'], ids: ['receiver/signature/forged', 'receiver/signature/changed'] },
    { only: ['VRF-*'], ids: ['receiver/signature/forged', 'receiver/signature/changed'] },
    { only: ['receiver/signature/*'], ids: ['receiver/signature/forged', 'receiver/signature/changed'] },
    {
      only: ['receiver/*/once', 'receiver/signature/forged'],
      ids: ['receiver/signature/forged', 'receiver/idempotency/once'],
    },
    { only: ['*'], ids: checks.map(({ id }) => id) },
  ])('takes by --only $only', ({ only, ids }) => {
    expect(selected(only)).toEqual(ids);
  });

  it('leaves out by --skip, which wins over --only', () => {
    expect(selected([], ['IDM-*'])).toEqual(['receiver/signature/forged', 'receiver/signature/changed']);
    expect(selected(['VRF-2'], ['VRF-3'])).toEqual(['receiver/signature/forged']);
  });

  it('knows no part of a name, and no regular expression', () => {
    expect(() => selected(['receiver/signature'])).toThrow('matches nothing');
    expect(() => selected(['VRF-.'])).toThrow('matches nothing');
  });

  it('distinguishes upper and lower case, and suggests the right one', () => {
    expect(() => selected(['vrf-3'])).toThrowErrorMatchingInlineSnapshot(`
      [UsageError: --only vrf-3 matches nothing
        valid: check ids and requirement ids, with * for any characters, in their own case
        do:    did you mean "VRF-3"? the same command with --list shows every check with its requirement ids]
    `);
  });

  it.each([
    { pattern: 'receiver/sinature/*', suggestion: '"receiver/signature/*"' },
    { pattern: 'forged', suggestion: '"receiver/signature/forged"' },
    { pattern: 'IMD-2', suggestion: '"IDM-2"' },
  ])('suggests $suggestion for $pattern', ({ pattern, suggestion }) => {
    expect(() => selected([], [pattern])).toThrow(`did you mean ${suggestion}`);
  });

  it('suggests nothing where nothing is near', () => {
    expect(() => selected(['something/else/entirely'])).toThrow('  do:    the same command with --list');
  });

  it('refuses to leave nothing', () => {
    expect(() => selected(['IDM-2'], ['*'])).toThrowErrorMatchingInlineSnapshot(`
      [UsageError: --skip * takes away everything that --only IDM-2 chose
        valid: a selection with at least one check
        do:    leave out one of the patterns]
    `);
  });
});
