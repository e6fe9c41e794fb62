import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { errorCatalogue, exitCodeOf, KitError, TargetError, UsageError } from '../../runner/errors.ts';

const runner = fileURLToPath(new URL('../../runner', import.meta.url));

describe('the error catalogue', () => {
  it('has an exit code for each kind', () => {
    expect(exitCodeOf).toEqual({ usage: 2, target: 3, kit: 70 });
  });

  it.each(Object.keys(errorCatalogue))('has no code that nothing ends with: %s', (code) => {
    const sources = readdirSync(runner, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.c?[jt]s$/.test(name) && name !== 'errors.ts',
    );
    const users = sources.filter((name) => readFileSync(join(runner, name), 'utf8').includes(code));
    expect(users).not.toEqual([]);
  });
});

describe('an error', () => {
  const cause = new Error('because');
  const explanation = { received: 'a thing', valid: 'another thing', next: 'take the other' };

  it('says what was received, what is valid and what to do', () => {
    expect(new UsageError('SW_OPTION_VALUE', explanation).message).toBe(
      'a thing\n  valid: another thing\n  do:    take the other',
    );
  });

  it('leaves out what is valid where nothing is', () => {
    const { message } = new KitError('SW_INTERNAL', { received: 'a thing', next: 'report it' });
    expect(message).toBe('a thing\n  do:    report it');
  });

  it.each([
    { error: new UsageError('SW_URL_INVALID', explanation, { cause }), exitCode: 2, name: 'UsageError' },
    { error: new TargetError('SW_RESET_FAILED', explanation, { cause }), exitCode: 3, name: 'TargetError' },
    { error: new KitError('SW_CONTRACT_BROKEN', explanation, { cause }), exitCode: 70, name: 'KitError' },
  ])('$name carries its exit code and its cause', ({ error, exitCode, name }) => {
    expect(error).toMatchObject({ exitCode, name, cause });
  });
});
