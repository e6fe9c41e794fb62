import { join } from 'node:path';

/** The programs that tests start as processes, by the names of their files without the extension. */
export const sources = {
  seaworthy: 'runner/cli/main.ts',
  receiver: 'reference/receiver/main.ts',
  service: 'reference/service/main.ts',
} as const;

/** The entries of the package that tests let other processes import, by their names in `package.json`. */
export const entries = {
  generators: 'generators/index.ts',
  'node-test': 'runner/testing/nodeTest.ts',
  vitest: 'runner/testing/vitest.ts',
} as const;

/** For Node, where a program runs shortly: room for what it makes and lets go of. Collecting that takes a tenth of the time. */
export const room: readonly string[] = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Where `bundlePrograms.ts` puts them: below `node_modules`, where they find the packages that they load. */
export const bundles = join(import.meta.dirname, '..', 'node_modules', '.cache', 'seaworthy');

/**
 * The program that a test starts, or the entry that is imported there, made of the sources as they are when the tests begin.
 * It does what they do, and starts in a third of the time.
 *
 * @example spawn(process.execPath, [program('receiver'), '--port', '0'])
 */
export function program(name: keyof typeof sources | keyof typeof entries): string {
  return join(bundles, `${name}.mjs`);
}

/**
 * For `server.deps.external` of a Vitest that a test starts: Node then reads the sources of the kit itself, as it would an
 * installed package. A text would be the name of a package there, and Vite would transform every file of the kit anew.
 */
export const externalKit = `/^${join(import.meta.dirname, '..').replaceAll(/[^\w-]/g, String.raw`\$&`)}/`;
