import { createRequire } from 'node:module';

/** The name and version of this package, as reports show them. */
export function kitIdentity(): { readonly name: string; readonly version: string } {
  const require = createRequire(import.meta.url);
  const { name, version } = require('seaworthy/package.json') as { name: string; version: string };
  return { name, version };
}
