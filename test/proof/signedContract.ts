import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { shippedTexts } from '../../spec/contractFiles.ts';
import { parseYaml } from '../../spec/parseYaml.ts';

const tracking = fileURLToPath(new URL('../../spec/contracts/tracking/', import.meta.url));

/**
 * A contract of the tracking service's events, with another signature and with the general requirements.
 *
 * @param signature - as a `contract.yaml` writes it
 * @param more - other members of it
 * @returns the path of its file
 */
export function signedContract(signature: unknown, more: object = {}): string {
  const {
    requirements: _,
    assumptions: __,
    service: ___,
    ...form
  } = parseYaml(shippedTexts().contract) as Record<string, unknown>;
  const file = join(mkdtempSync(join(tmpdir(), 'seaworthy-contract-')), 'contract.yaml');
  const text = {
    ...form,
    'x-gap': undefined,
    strict: false,
    openapi: join(tracking, 'openapi.yaml'),
    signature,
    ...more,
  };
  writeFileSync(file, JSON.stringify(text));
  return file;
}
