import { readFileSync } from 'node:fs';

/** The program and the style of the page, as they were built. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

let loaded: PageBundle | undefined;

/**
 * Loads what `npm run prepare` has built; once, and only where a page is written.
 *
 * @throws Error where it was never built, saying how to do it
 */
export function pageBundle(): PageBundle {
  loaded ??= { script: part('page.js'), style: part('page.css') };
  return loaded;
}

function part(name: string): string {
  const file = new URL(name, import.meta.url);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(
      `The page of the HTML report is not there: ${name} cannot be read. \`npm ci\` or \`npm run prepare\` builds it.`,
      { cause },
    );
  }
}
