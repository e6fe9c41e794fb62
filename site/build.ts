import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { Application, Converter, type DocumentReflection, normalizePath } from 'typedoc';

import { examplePages } from './examplePages.ts';
import { groups } from './groups.ts';
import { readMarkdown } from './readMarkdown.ts';
import { requirementPages } from './requirementPages.ts';

const root = resolve(import.meta.dirname, '..');

/** A page of the site, which lies in a file. */
interface Page {
  readonly path: string;
  readonly group: string;
  /** What it is called in the navigation. */
  readonly name: string;
  /** Other files: where a link names one, it leads to this page. */
  readonly shows?: readonly string[];
}

/**
 * Builds the site: the documents as they lie in the repository, a page for each example and each requirement, and the API as
 * its docstrings describe it.
 *
 * @param out - the folder, which is emptied first
 * @throws Error where there was a warning, such as a link to nowhere
 */
async function buildSite(out: string): Promise<void> {
  const pages = [...(await listedPages()), ...(await writtenPages(join(import.meta.dirname, 'made')))];
  const exported = await exportedFiles();
  const groupNames = [...new Set([...Object.keys(groups), ...pages.map(({ group }) => group)])];
  const app = await Application.bootstrap({
    name: 'seaworthy',
    readme: join(root, 'README.md'),
    projectDocuments: pages.map(({ path }) => path),
    entryPoints: [...exported.keys()],
    tsconfig: join(root, 'tsconfig.build.json'),
    basePath: root,
    disableSources: true,
    excludeInternal: true,
    groupOrder: [...groupNames, 'Modules', '*'],
    navigation: { includeGroups: true },
    searchInDocuments: true,
    searchInComments: true,
    // Who looks for a word wants to read about it first.
    searchGroupBoosts: Object.fromEntries(groupNames.map((name) => [name, 4])),
    customCss: join(import.meta.dirname, 'site.css'),
    highlightLanguages: ['bash', 'java', 'javascript', 'json', 'python', 'sql', 'typescript', 'xml', 'yaml'],
    ignoredHighlightLanguages: ['text', 'html'],
    // What a module does not export is shown where it is used.
    validation: { notExported: false },
    markdownItLoader: readMarkdown,
  });
  const byPath = new Map(pages.map((page) => [page.path, page]));
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_: unknown, document: DocumentReflection) =>
    place(document, byPath),
  );
  const modules = app.getEntryPoints() ?? [];
  const project = app.converter.convert(
    modules.map((each) => ({ ...each, displayName: exported.get(each.sourceFile.fileName) ?? each.displayName })),
  );
  app.validate(project);
  await app.generateDocs(project, out);
  if (app.logger.warningCount + app.logger.errorCount > 0) throw new Error('The site has mistakes: see above');
}

async function listedPages(): Promise<readonly Page[]> {
  const listed = Object.entries(groups).flatMap(([group, paths]) =>
    paths.map((path) => ({ group, path: join(root, path) })),
  );
  return Promise.all(
    listed.map(async (page) => {
      const [, heading = ''] = /^# (.*)$/m.exec(await readFile(page.path, 'utf8')) ?? [];
      return { ...page, name: heading.replaceAll('`', '') };
    }),
  );
}

/** Writes the pages that are made of data. @param folder - is emptied first */
async function writtenPages(folder: string): Promise<readonly Page[]> {
  await rm(folder, { recursive: true, force: true });
  const examples = examplePages(join(root, 'examples')).map(({ id, ...page }) => {
    return { ...page, group: 'Examples', path: join(folder, 'examples', `${id}.md`) };
  });
  const requirements = (await requirementPages()).map(({ id, subject, text }) => {
    return { name: id, text, group: `Requirements of a ${subject}`, path: join(folder, 'requirements', `${id}.md`) };
  });
  const pages = [...examples, ...requirements];
  for (const { path, text } of pages) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return pages;
}

/** What the package exports: the file of each module with the name that it is imported by. */
async function exportedFiles(): Promise<ReadonlyMap<string, string>> {
  const { name, exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const files = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [[join(root, target.types.replace('./dist/', '').replace('.d.ts', '.ts')), join(name, path)] as const],
  );
  // Of two names for one file the first one is the shorter.
  return new Map(files.toReversed());
}

/** Calls a page by its name, puts it into its group, and lets links to what it shows lead to it. */
function place(document: DocumentReflection, pages: ReadonlyMap<string, Page>): void {
  const { files } = document.project;
  const page = pages.get(files.getReflectionPath(document) ?? '');
  if (page === undefined) return;
  document.name = page.name;
  document.frontmatter['group'] = page.group;
  for (const path of page.shows ?? []) files.registerReflectionPath(normalizePath(path), document);
}

await buildSite(resolve(process.argv[2] ?? join(import.meta.dirname, 'dist')));
