import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** Where the built page lies: beside this file, where `renderHtml.ts` reads it. */
const here = fileURLToPath(new URL('.', import.meta.url));

/** What every report holds a copy of, and under which licences. */
const notice =
  '/* With Preact (MIT, (c) 2015-present Jason Miller), Observable Plot (ISC, (c) 2020-2025 Observable, Inc.) and D3 (ISC, (c) 2010-2023 Mike Bostock). */';

/**
 * Bundles the page of the HTML report, the program and its style, into one file each: `page.js` and `page.css`.
 * The report reads them there.
 */
export function buildPage(): Promise<void> {
  return bundlePage(fileURLToPath(new URL('page/main.tsx', import.meta.url)), here, notice);
}

/**
 * Bundles a page, with all that it imports, into `page.js` and `page.css`.
 *
 * @param entry - the path of its program
 * @param directory - where they are written
 * @param banner - a comment that says what is in it of others
 */
export async function bundlePage(entry: string, directory: string, banner: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: { page: entry },
    outdir: directory,
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    banner: { js: banner },
    logLevel: 'warning',
  });
  await mkdir(directory, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => replaceFile(path, contents)));
}

/** A reader of the file meanwhile finds the old one or the new one, never half of it. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, path);
}

if (import.meta.main) await buildPage();
