import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';
import type { TestProject } from 'vitest/node';

import { bundling, whereItLies } from '../runner/cli/buildProgram.ts';
import { buildShippedValues } from '../spec/buildShippedValues.ts';
import { bundles, entries, sources } from './programs.ts';

const root = join(import.meta.dirname, '..');

/** What few commands load, and what cannot be bundled. */
const external = ['@stoplight/*', '@peculiar/x509', 'badge-maker', 'reflect-metadata', 'testcontainers', 'vitest'];

/** Of undici what the programs send with: its index loads `fetch`, WebSocket and caches too, a tenth of a second at each start. */
const partsOfUndici: Plugin = {
  name: 'parts of undici',
  setup(made) {
    const [filter, namespace] = [/^undici$/, 'undici'];
    made.onResolve({ filter }, ({ path }) => ({ path, namespace }));
    made.onLoad({ filter, namespace }, () => ({
      resolveDir: root,
      contents: `import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as buildConnector } from 'undici/lib/core/connect.js';`,
    }));
  },
};

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
    ...bundling,
    entryPoints: Object.fromEntries(
      Object.entries({ ...sources, ...entries }).map(([name, path]) => [name, join(root, path)]),
    ),
    outdir: bundles,
    // They are started hundreds of times: what is shorter is read sooner.
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
    outExtension: { '.js': '.mjs' },
    external,
    plugins: [partsOfUndici, whereItLies((path) => ({ url: JSON.stringify(pathToFileURL(path).href) }))],
    // What is bundled of CommonJS asks for Node's own modules.
    banner: {
      js: `import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);`,
    },
  });
  await mkdir(bundles, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => replaceFile(path, contents)));
}

/** A process that starts meanwhile, of another run of tests, finds the old file or the new one, never half of it. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, path);
}
