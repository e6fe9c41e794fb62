import { describe, expect, it } from 'vitest';

import { errorsDocument } from '../../../runner/errors.ts';
import { optionsDocument } from '../../../runner/cli/optionsDocument.ts';

describe('the documents that are made from code', () => {
  it('lists every option, as the code has it', async () => {
    await expect(optionsDocument()).toMatchFileSnapshot('../../../docs/options.md');
  });

  it('lists every error, as the code has it', async () => {
    await expect(errorsDocument()).toMatchFileSnapshot('../../../docs/errors.md');
  });
});
