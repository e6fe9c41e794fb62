import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `npm run build:assets` writes what the YAML files of `spec/` hold: JSON texts by {@link digestOf} their YAML text. */
export const shippedValuesFile = join(import.meta.dirname, 'shippedValues.json');

let values: Readonly<Record<string, string>> | undefined;

/**
 * What a YAML text that ships with the kit holds, without reading the YAML again: that takes most of a start. A text that
 * differs by one byte is not known here, so that nothing can be out of date.
 *
 * @returns JSON; nothing for any other text, and in a clone without `npm run build:assets`
 */
export function shippedValue(text: string): string | undefined {
  values ??= read();
  return values[digestOf(text)];
}

/** By what a text is known. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}

function read(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(shippedValuesFile, 'utf8')) as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}
