import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';
import type { TestProject } from 'vitest/node';

import { buildShippedValues } from '../spec/buildShippedValues.ts';
import { bundles, sources } from './programs.ts';

const root = join(import.meta.dirname, '..');

/** What few commands load, and what cannot be bundled. */
const external = ['@stoplight/*', '@peculiar/x509', 'badge-maker', 'reflect-metadata', 'testcontainers'];

/**
 * Bundles the programs that tests start as processes, and reads the YAML that ships once for all of them, before the first
 * test and before each further run of a watch.
 */
export default async function bundlePrograms(project?: TestProject): Promise<void> {
  project?.onTestsRerun(bundled);
  await bundled();
}

async function bundled(): Promise<void> {
  await buildShippedValues();
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, join(root, path)])),
    outdir: bundles,
    bundle: true,
    splitting: true,
    // They are started hundreds of times: what is shorter is read sooner.
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    target: 'node24',
    external,
    plugins: [whereItLies],
    // What is bundled of CommonJS asks for Node's own modules.
    banner: {
      js: `import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);`,
    },
    logLevel: 'warning',
  });
  await mkdir(bundles, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => replaceFile(path, contents)));
}

/** Each file goes on finding what lies beside its source. */
const whereItLies: Plugin = {
  name: 'where it lies',
  setup(made) {
    made.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/** A process that starts meanwhile, of another run of tests, finds the old file or the new one, never half of it. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, path);
}
