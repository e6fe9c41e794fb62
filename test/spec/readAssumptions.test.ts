import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';

const rooms = ['suites', 'runner'];

it('lists no assumption that nothing reads', async () => {
  const texts = await Promise.all(rooms.map((room) => textOf(join(import.meta.dirname, '../..', room))));
  const code = texts.join('\n');
  // One that fills in how an operation is called is read with the operation, whatever its key.
  const keys = loadContract().assumptions.filter(({ operation }) => operation === undefined);
  const unread = keys.filter(({ key }) => !code.includes(`'${key}'`)).map(({ key }) => key);
  expect(unread, 'read the assumption in a check, or say it in the statement of its gap').toEqual([]);
});

async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const own = files.filter((file) => file.endsWith('.ts'));
  return (await Promise.all(own.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}
