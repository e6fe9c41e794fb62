import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { program } from '../../programs.ts';

/** The contracts that ship, which the bundled program reads where they lie here. */
const contracts = fileURLToPath(new URL('../../../spec/shippedValues.json', import.meta.url));

/** What the container runs: the reference receiver, with the mistake that the variable FAULT names. */
const entry = `
const { SECRET, FAULT } = process.env;
process.argv.push('--host', '0.0.0.0', '--port', '8080', '--secret', SECRET, '--database', '/receiver.db');
if (FAULT) process.argv.push('--fault', FAULT);
await import('./${basename(program('receiver'))}');
`;

/**
 * Lays the reference receiver into a folder that becomes the root of an image: the bundled program, the contracts that it
 * reads, and `/start.mjs`, which listens on port 8080.
 */
export async function layReceiver(folder: string): Promise<void> {
  const files = await withImports(program('receiver'));
  await Promise.all(files.map((path) => cp(path, join(folder, basename(path)))));
  await cp(contracts, join(folder, contracts));
  await writeFile(join(folder, 'start.mjs'), entry);
}

/** A file of a bundle and those that it imports, by the names that they have beside it. */
async function withImports(path: string): Promise<readonly string[]> {
  const found = new Set([path]);
  for (const each of found)
    for (const [, name = ''] of (await readFile(each, 'utf8')).matchAll(/(?:from|import)\s?\(?"\.\/([\w-]+\.mjs)"/g))
      found.add(join(dirname(path), name));
  return [...found];
}
