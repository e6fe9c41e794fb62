import { globSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parseYaml, digestOf, shippedValuesFile } from './parseYaml.ts';

/** Writes what the YAML files of `spec/` hold to where {@link shippedValue} finds it. */
export async function buildShippedValues(): Promise<void> {
  const files = globSync('{contracts/*,general}/*.yaml', { cwd: import.meta.dirname }).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')));
  const values = Object.fromEntries(texts.map((text) => [digestOf(text), JSON.stringify(parseYaml(text))]));
  // A reader of the file meanwhile finds the old one or the new one, never half of it.
  const beside = `${shippedValuesFile}.${process.pid}`;
  await writeFile(beside, JSON.stringify(values));
  await rename(beside, shippedValuesFile);
}

if (import.meta.main) await buildShippedValues();
