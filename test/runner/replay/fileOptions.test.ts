import { expect, it } from 'vitest';

import { fileOptions } from '../../../runner/replay/trustedOptions.ts';

it('leaves out what an earlier version assumed and nothing read', () => {
  const assume = ['body.taken=2MiB', 'signature.header=X-Signature', 'deprecation.policy=announced'];
  const options = { assume, rate: ['50'] };
  expect(fileOptions({ options })).toEqual({
    data: { assume: ['signature.header=X-Signature'], rate: ['50'] },
    named: {},
  });
  expect(fileOptions({ options: { assume: ['body.refused=4MiB'] } })).toEqual({ data: {}, named: {} });
});

it('takes no file of assumptions for data', () => {
  expect(fileOptions({ options: { assume: ['@learned.yaml'] } }).named).toEqual({ assume: ['@learned.yaml'] });
});
