import { createRequire } from 'node:module';

/** The version of Prism that judges and serves here. */
export function prismVersion(): string {
  const require = createRequire(import.meta.url);
  const { version } = require('@stoplight/prism-cli/package.json') as { version: string };
  return version;
}
