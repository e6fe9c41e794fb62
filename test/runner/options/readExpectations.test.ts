import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SeaworthyError } from '../../../runner/errors.ts';
import { readExpectations } from '../../../runner/options/readExpectations.ts';

let path: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-expectations-'));
  path = join(folder, 'expected.yaml');
});

afterAll(() => rm(folder, { recursive: true }));

async function read(text: string): Promise<unknown> {
  await writeFile(path, text);
  return readExpectations(path);
}

describe('what is known to fail', () => {
  const entries = [
    { id: 'VRF-2', reason: 'the gateway verifies', expires: '2027-01-31', link: 'https://example.test/1' },
    { id: 'receiver/idempotency/together', reason: 'on its way' },
  ];

  it('is read from JSON', async () => {
    expect(await read(JSON.stringify(entries))).toEqual(entries);
  });

  it('is read from YAML, its dates as they stand there', async () => {
    const yaml = `
- id: VRF-2
  reason: the gateway verifies
  expires: 2027-01-31
  link: https://example.test/1
- { id: receiver/idempotency/together, reason: on its way }
`;
    expect(await read(yaml)).toEqual(entries);
  });

  it.each(['', '# all of it is fixed\n', '[]'])('may be nothing: %j', async (text) => {
    expect(await read(text)).toEqual([]);
  });

  it.each([
    ['- id: VRF-2', 'entry 1 has no reason'],
    ['- { id: A, reason: a }\n- { reason: b }', 'entry 2 has no id'],
    ['- { id: A, reason: "" }', 'the reason of entry 1 cannot be ""'],
    ['- { id: A, reason: a, until: 2027-01-31 }', 'entry 1 has an unknown member "until"'],
    ['- { id: A, reason: a, expires: 2027-02-30 }', 'the expires of entry 1 cannot be "2027-02-30"'],
    ['- { id: A, reason: a, expires: soon }', 'the expires of entry 1 cannot be "soon"'],
    ['- { id: A, reason: a, link: 7 }', 'the link of entry 1 cannot be 7'],
    ['- VRF-2', 'entry 1 cannot be "VRF-2"'],
    ['id: VRF-2', 'holds no list'],
    ['- { id: A, reason: " " }', 'the reason of entry 1 cannot be " "'],
    ['- { id: A, reason: a }\n- { id: A, reason: b }', 'names A twice'],
    ['- [', 'is neither JSON nor YAML'],
  ])('is refused: %j', async (text, says) => {
    const error = await read(text).then(
      () => undefined,
      (thrown: unknown) => thrown as SeaworthyError,
    );
    expect(error).toMatchObject({ code: 'SW_EXPECTATIONS_INVALID', exitCode: 2 });
    expect(error?.message).toContain(`--expect-failures ${path} ${says}`);
  });

  it('says so where there is no such file', () => {
    const missing: Error = expect.objectContaining({ code: 'SW_FILE_UNREADABLE' });
    expect(() => readExpectations(join(folder, 'none.yaml'))).toThrow(missing);
  });
});
