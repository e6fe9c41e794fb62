import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const rooms = ['spec', 'reference'];

/** The packages that these rooms import. */
const imported = ['ajv', 'ajv-formats', 'fast-xml-parser', 'fastify', 'undici', 'yaml'];

/** What the container runs: the reference receiver, with the mistake that the variable FAULT names. */
const entry = `
const { SECRET, FAULT } = process.env;
process.argv.push('--host', '0.0.0.0', '--port', '8080', '--secret', SECRET, '--database', '/receiver.db');
if (FAULT) process.argv.push('--fault', FAULT);
await import('./reference/receiver/main.ts');
`;

/**
 * Lays the reference receiver into a folder that becomes the root of an image: its rooms, the packages that they
 * import, and `/receiver.mjs`, which listens on port 8080.
 */
export async function layReceiver(folder: string): Promise<void> {
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const names = await withDependencies(imported);
  const paths = [...rooms, ...names.map((name) => `node_modules/${name}`)];
  await Promise.all(paths.map((path) => cp(join(root, path), join(folder, path), { recursive: true })));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}\n');
  await writeFile(join(folder, 'receiver.mjs'), entry);
}

/** These packages and all that they depend on, as they are installed side by side. */
async function withDependencies(names: readonly string[]): Promise<readonly string[]> {
  const found = new Set(names);
  for (const name of found) {
    const text = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Readonly<Record<string, string>> };
    for (const dependency of Object.keys(dependencies)) found.add(dependency);
  }
  return [...found];
}
