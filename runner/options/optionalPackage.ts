import { createRequire } from 'node:module';

import { UsageError } from '../errors.ts';

const require = createRequire(import.meta.url);

/** Packages that few commands need. Who installs the kit installs none of them. */
export type OptionalPackage = '@peculiar/x509' | '@stoplight/prism-cli' | 'badge-maker' | 'fastify' | 'testcontainers';

/** What a package does not bring, and cannot do without. */
const beside: Readonly<Partial<Record<OptionalPackage, string>>> = { '@peculiar/x509': 'reflect-metadata' };

/** Whether a package can be loaded from here. */
export function isInstalled(name: OptionalPackage): boolean {
  return partsOf(name).every(canBeFound);
}

function canBeFound(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

function partsOf(name: OptionalPackage): readonly string[] {
  return [name, beside[name]].filter((part) => part !== undefined);
}

/** The command that installs a package in the version that the kit was tested with. */
export function installCommand(name: OptionalPackage): string {
  const { peerDependencies } = require('seaworthy/package.json') as { peerDependencies: Record<string, string> };
  const versions = partsOf(name).map((part) => `${part}@${peerDependencies[part]}`);
  return `npm install --save-dev ${versions.join(' ')}`;
}

/**
 * Makes sure that a package is there. To be called before anything runs.
 *
 * @param use - what needs it: `seaworthy sandbox`, `--image`
 * @throws UsageError (`SW_PACKAGE_MISSING`) with the command that installs it
 */
export function requirePackage(name: OptionalPackage, use: string): void {
  if (isInstalled(name)) return;
  throw new UsageError('SW_PACKAGE_MISSING', {
    received: `${use}: the package ${name} is not installed`,
    next: installCommand(name),
  });
}
