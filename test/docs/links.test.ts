import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import { describe, expect, test } from 'vitest';

import { documents, generated, root, textOf } from './documents.ts';

describe.each([...documents, ...generated])('%s', (path) => {
  const links = relativeLinks(path);

  test('links to what exists', () => {
    expect(links.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('links to headings that exist', () => {
    const anchored = links.filter(({ file, anchor }) => anchor !== undefined && file.endsWith('.md'));
    expect(anchored.filter(({ file, anchor }) => !anchorsOf(file).includes(anchor!))).toEqual([]);
  });
});

test('documents of the package link only to what is packed', () => {
  const packed = packedFiles();
  const isPacked = (file: string) => packed.some((each) => each === file || each.startsWith(`${file}/`));
  const pages = packed.filter((file) => file.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/crashes.md']));
  const broken = pages.flatMap((page) => relativeLinks(page).filter(({ file }) => !isPacked(file)));
  expect(broken).toEqual([]);
});

interface Link {
  readonly from: string;
  /** The path from the root. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** Links and images of a document, and the targets of its link references, but for those to other hosts. */
function relativeLinks(path: string): readonly Link[] {
  const prose = withoutBlocks(path);
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/^\[[^\]]+\]: (\S+)/gm)];
  return found
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { from: path, file: file === '' ? path : join(dirname(path), file), anchor };
    });
}

/** The anchors that GitHub makes of the headings of a document. */
function anchorsOf(path: string): readonly string[] {
  return [...withoutBlocks(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function withoutBlocks(path: string): string {
  return textOf(path).replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** What `npm pack` takes, but for what the build would add. */
function packedFiles(): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, stdio: 'pipe' });
  const [packed] = JSON.parse(output.toString()) as readonly [{ readonly files: readonly { readonly path: string }[] }];
  return packed.files.map(({ path }) => path);
}
