import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { groups } from '../../site/groups.ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Documents that a command writes. */
export const generated: readonly string[] = [
  'docs/options.md',
  'docs/errors.md',
  'docs/contract-form.md',
  'docs/zoo.md',
];

/** Documents written by hand, by their path from the root: those of the site, and what is for contributors. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...Object.values(groups)
    .flat()
    .filter((path) => !generated.includes(path)),
];

/** The text of a file, by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** The fenced blocks of this language, in order. */
export function blocks(path: string, language: string): readonly string[] {
  return [...textOf(path).matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(([, name, block]) =>
    name === language ? [block!] : [],
  );
}

/** What is written in `code` within the prose. */
export function inlineCode(path: string): readonly string[] {
  const prose = textOf(path).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}
