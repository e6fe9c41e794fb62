import { describe, expect, it } from 'vitest';

import { servicePlan } from '../../../runner/service/servicePlan.ts';

describe('a plan', () => {
  it.each([
    [{ ca: '/nowhere/ca.pem' }, 'SW_FILE_UNREADABLE'],
    [{ emit: 'http://203.0.113.7/emit' }, 'SW_TARGET_REMOTE'],
    [{ catcher: 'not a URL' }, 'SW_URL_INVALID'],
  ])('cannot be made with %o', async (options, code) => {
    await expect(servicePlan('http://localhost/v2', options)).rejects.toMatchObject({ code });
  });
});
