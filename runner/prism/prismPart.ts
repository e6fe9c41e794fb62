import { createRequire } from 'node:module';

import { requirePackage } from '../options/optionalPackage.ts';

/**
 * A module of Prism, as its own program finds it: who installs `@stoplight/prism-cli` need not name its parts.
 *
 * @throws UsageError where Prism is not installed
 */
export function prismPart<Part>(name: string): Part {
  requirePackage('@stoplight/prism-cli', 'this command');
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('@stoplight/prism-cli/package.json'))(name) as Part;
}

/** The version of Prism that judges and serves here. */
export function prismVersion(): string {
  return prismPart<{ readonly version: string }>('@stoplight/prism-cli/package.json').version;
}
