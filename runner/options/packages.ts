import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';

import { UsageError } from '../errors.ts';

/** Packages that few commands need. Who installs the kit installs none of them. */
export type OptionalPackage = '@peculiar/x509' | '@stoplight/prism-cli' | 'badge-maker' | 'fastify' | 'testcontainers';

/** What a package does not bring, and cannot do without. */
const beside: Readonly<Partial<Record<OptionalPackage, string>>> = { '@peculiar/x509': 'reflect-metadata' };

/** Whether a package can be used: in the major version that the kit was tested with, or a later one. */
export function isInstalled(name: OptionalPackage): boolean {
  return lacking(name) === undefined;
}

/**
 * What is needed, where a package cannot be used, and why not. A project may have an older one for itself, which is no reason to
 * refuse the kit: package.json takes any version, and who needs the package looks here.
 */
function lacking(name: OptionalPackage): string | undefined {
  for (const part of partsOf(name)) {
    const found = installedVersion(part);
    if (found === undefined) return `the package ${part}, which is not installed`;
    const needed = majorOf(testedVersion(part));
    if (majorOf(found) < needed) return `the package ${part} in version ${needed} or later, and ${found} is installed`;
  }
  return undefined;
}

function installedVersion(name: string): string | undefined {
  try {
    const file = findPackageJSON(name, import.meta.url);
    return file && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** The version that the kit was tested with. */
function testedVersion(name: string): string {
  const require = createRequire(import.meta.url);
  return (require('seaworthy/package.json') as { devDependencies: Record<string, string> }).devDependencies[name]!;
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

function partsOf(name: OptionalPackage): readonly string[] {
  return [name, beside[name]].filter((part) => part !== undefined);
}

/** The command that installs a package in the version that the kit was tested with. */
export function installCommand(name: OptionalPackage): string {
  return `npm install --save-dev ${partsOf(name)
    .map((part) => `${part}@${testedVersion(part)}`)
    .join(' ')}`;
}

/**
 * Makes sure that a package is there. To be called before anything runs.
 *
 * @param use - what needs it: `sandbox`, `--image`
 * @throws UsageError (`SW_PACKAGE_MISSING`) with the command that installs it
 */
export function requirePackage(name: OptionalPackage, use: string): void {
  const lack = lacking(name);
  if (lack !== undefined)
    throw new UsageError('SW_PACKAGE_MISSING', { received: `${use} needs ${lack}`, next: installCommand(name) });
}

/** The name and version of this package, as reports show them. */
export function kitIdentity(): { readonly name: string; readonly version: string } {
  const require = createRequire(import.meta.url);
  const { name, version } = require('seaworthy/package.json') as { name: string; version: string };
  return { name, version };
}
