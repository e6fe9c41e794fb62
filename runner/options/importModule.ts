import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The formats of CommonJS, and what the same file is called as an ES module. */
const asModule: Readonly<Record<string, string>> = { commonjs: 'module', 'commonjs-typescript': 'module-typescript' };

/** A line that only an ES module may hold. */
const moduleLine = /^\s*(?:import\b(?!\s*\()|export\b)/m;

/**
 * Imports a module of the user's, in whatever package it lies: `npm init` writes `"type": "commonjs"`, and Node then takes no
 * `import` and no `export`. A file that holds either is meant as an ES module.
 *
 * @param path - of a TypeScript or JavaScript file
 * @throws whatever the module throws
 * @example
 * const { default: config } = await importModule('/project/seaworthy.config.ts');
 */
export async function importModule(path: string): Promise<{ readonly default?: unknown }> {
  const hooks = registerHooks({
    load: (url, context, next) => {
      const format = asModule[context.format ?? ''];
      return format !== undefined && isModule(url) ? next(url, { ...context, format }) : next(url, context);
    },
  });
  try {
    return (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  } finally {
    hooks.deregister();
  }
}

/** Packages say of themselves what they are. */
function isModule(url: string): boolean {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return false;
  return moduleLine.test(readFileSync(fileURLToPath(url), 'utf8'));
}
