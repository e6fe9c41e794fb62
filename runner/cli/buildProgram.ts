import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files of the package that others start or load by their names, beside those that `package.json` exports. */
const named = ['runner/cli/main', 'runner/process/removeContainers', 'reference/receiver/main'];

/** How what runs in Node is bundled: each entry point keeps its place, and what several share lies in files of its own. */
export const bundling = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Lets each file go on finding what lies beside its source, in whatever file it is bundled.
 *
 * @param urlOf - an expression for the URL of the file with this path, and what it imports
 */
export function whereItLies(urlOf: (path: string) => { readonly url: string; readonly imports?: string }): Plugin {
  return {
    name: 'where it lies',
    setup(made) {
      made.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const loader = path.endsWith('ts') ? 'ts' : 'js';
        if (!text.includes('import.meta.')) return { contents: text, loader };
        const { url, imports = '' } = urlOf(path);
        const directory = `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${url}))`;
        const here = text.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', directory);
        return { contents: imports + here, loader };
      });
    },
  };
}

/** Bundles what the package holds to run. Its dependencies stay packages of their own. */
async function buildProgram(directory: string): Promise<void> {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const exported = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [] : [each.default]));
  const entries = [...new Set([...exported.map((path) => path.slice('./dist/'.length, -'.js'.length)), ...named])];
  await build({
    ...bundling,
    entryPoints: Object.fromEntries(entries.map((path) => [path, join(root, `${path}.ts`)])),
    outdir: directory,
    // Names stay, so that an error can be read.
    minifyWhitespace: true,
    chunkNames: 'shared/[name]-[hash]',
    packages: 'external',
    plugins: [
      distribution,
      whereItLies((path) => ({
        url: `$urlOf(${JSON.stringify(relative(root, path).replace(/\.ts$/, '.js'))})`,
        imports: `import { urlOf as $urlOf } from 'seaworthy:distribution';`,
      })),
    ],
  });
}

/** Where the package lies that a file is part of. */
const distribution: Plugin = {
  name: 'distribution',
  setup(made) {
    const [filter, namespace] = [/^seaworthy:distribution$/, 'distribution'] as const;
    made.onResolve({ filter }, ({ path }) => ({ path, namespace }));
    made.onLoad({ filter, namespace }, () => ({
      contents: `import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
const dist = new URL('dist/', pathToFileURL(findPackageJSON(import.meta.url)));
export const urlOf = (path) => new URL(path, dist).href;`,
      resolveDir: dirname(root),
    }));
  },
};

if (import.meta.main) await buildProgram(join(root, 'dist'));
