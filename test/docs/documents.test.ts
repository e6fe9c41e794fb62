import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { commands } from '../../runner/cli/commands.ts';
import { runExitCodes } from '../../runner/cli/command.ts';
import { loadContract } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import { shippedContracts } from '../../spec/shippedContracts.ts';
import { blocks, documents, inlineCode, root, textOf } from './documents.ts';

const { scripts, exports: packageExports } = JSON.parse(textOf('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
};

/** Options of the program itself, and those that every command has. */
const everywhere = ['--help', '--version'];
/** Options of the reference receiver, which some documents start. */
const ofReference = [...textOf('reference/receiver/main.ts').matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
/** Options of other programs. */
const ofOthers = [
  '--data-binary',
  '--save-dev',
  '--test',
  '--tag',
  '--rm',
  '--network',
  '--volume',
  '--user',
  '--no-static-parse',
];
/** Options of the table of what a search finds, and of the table of what takes time. */
const ofBench = [...`${textOf('bench/fuzz.ts')}${textOf('bench/main.ts')}`.matchAll(/^ {4}(\w+): \{ type: /gm)].map(
  ([, name]) => `--${name}`,
);

test('the README holds the two promised commands, word for word', () => {
  expect(blocks('README.md', 'sh')).toEqual(
    expect.arrayContaining(['npm ci && npm run demo\n', 'npm ci && npm test\n']),
  );
});

test('the README has 1,200 words at most, and says which Node will do', () => {
  const readme = textOf('README.md');
  expect(readme.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1200);
  expect(readme).toContain('npm with any Node from 20 up will do');
});

test('the README shows the exit codes as the program does', () => {
  const readme = textOf('README.md').replaceAll('`', '');
  for (const [code, when] of runExitCodes) expect(readme).toMatch(row(String(code), when));
});

test('every contract that ships has a page, which the tutorial links to', () => {
  const pages = shippedContracts.map((name) => `contracts/${name}.md`);
  expect(pages.filter((page) => !documents.includes(`docs/${page}`))).toEqual([]);
  expect(pages.filter((page) => !textOf('docs/contracts.md').includes(`(${page})`))).toEqual([]);
});

test('the architecture fits one page', () => {
  expect(textOf('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(80);
});

describe.each(documents)('%s', (path) => {
  test('names files that exist', () => {
    const files = inlineCode(path).filter((code) => /^[\w.-]+(\/[\w.-]+)+\.(ts|md|yaml|json|sh)$/.test(code));
    const exported = Object.keys(packageExports).map((name) => join('seaworthy', name));
    expect(files.filter((file) => !exported.includes(file) && !existsSync(join(root, file)))).toEqual([]);
  });

  test('names commands, options and scripts that exist', () => {
    const text = textOf(path).replaceAll(/^```text[^\n]*\n[\s\S]*?^```$/gm, '');
    const called = [...text.matchAll(/npm run -s seaworthy -- (\w+)/g)].map(([, name]) => name!);
    expect(called.filter((name) => !commands.some((command) => command.name.split(' ', 1)[0] === name))).toEqual([]);
    const flags: readonly string[] = commands.flatMap(({ options }) => Object.values(options).map(({ flag }) => flag));
    const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(
      named.filter((flag) => ![...flags, ...everywhere, ...ofReference, ...ofBench, ...ofOthers].includes(flag)),
    ).toEqual([]);
    const run = [...text.matchAll(/npm run (?:-s )?(\w+)/g)].map(([, name]) => name!);
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('counts nothing by hand that grows with the code', () => {
    const prose = textOf(path)
      .replaceAll(/^```[^]*?^```$/gm, '')
      .replaceAll(/\s+/g, ' ');
    const number = '(?:\\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+(?:teen|ty)(?:-\\w+)?)';
    // A threshold (13 checks or more) is no count.
    const counts = new RegExp(`\\b${number} (?:checks|requirements|formats|commands|options)\\b(?! or more)`, 'gi');
    expect(prose.match(counts) ?? []).toEqual([]);
  });

  test('names requirements that exist', () => {
    const { requirements, gaps } = loadContract();
    // Those of timestamps are required by contracts that sign one.
    const general = loadContract(shippedTexts('standard-webhooks')).requirements;
    const known = [...requirements, ...general, ...gaps].map(({ id }) => id);
    const named = [...textOf(path).matchAll(/\b(?!UTF-|SHA-|BSD-|PSF-)[A-Z]{3}-\d+\b/g)].map(([id]) => id);
    expect(named.filter((id) => !known.includes(id))).toEqual([]);
  });
});

/** A table's row with these cells, however wide its columns are. */
function row(...cells: readonly string[]): RegExp {
  const patterns = cells.map((cell) => cell.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(String.raw`^\| ${patterns.join(String.raw` *\| `)} *\|$`, 'm');
}
