import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runCommand } from '../../../runner/process/shellCommand.ts';

/** Why no container can be started here; nothing where one can. */
const engineMissing = findEngine();

/** Whether tests with containers are left out. In CI a missing engine is a failure. */
export const containersSkipped = engineMissing !== undefined && process.env['SEAWORTHY_CI'] === undefined;

/** For the name of what is left out: `(skipped: no container engine: ...)`. */
export const containersSkippedWhy = containersSkipped ? ` (skipped: no container engine: ${engineMissing})` : '';

/** An image that exists until it is removed. */
export interface TestImage {
  readonly name: string;
  remove(): Promise<void>;
}

/**
 * Builds an image out of the Node that runs this, without a registry: `/usr/bin/node`, the libraries that it needs, and what
 * `lay` puts into the folder that becomes the root.
 *
 * @param name - distinguishes the images of test files
 * @param command - what a container of it runs, the first word an absolute path
 */
export async function testImage(
  name: string,
  command: readonly string[],
  lay: (folder: string) => Promise<unknown>,
): Promise<TestImage> {
  const image = `seaworthy-test-${name}:${process.pid}`;
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-image-'));
  try {
    await layNode(folder);
    await lay(folder);
    await run(`tar -C "${folder}" -c . | docker import -c 'CMD ${JSON.stringify(command)}' - ${image}`);
  } finally {
    await rm(folder, { recursive: true });
  }
  return { name: image, remove: () => run(`docker rmi ${image}`) };
}

async function layNode(folder: string): Promise<void> {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  const files = [[process.execPath, '/usr/bin/node'] as const, ...libraries.map((path) => [path, path] as const)];
  for (const [from, to] of files) {
    await mkdir(join(folder, dirname(to)), { recursive: true });
    await cp(from, join(folder, to), { dereference: true });
  }
  await mkdir(join(folder, 'tmp'), { recursive: true });
}

async function run(command: string): Promise<void> {
  const { code, stderr } = await runCommand(command, { timeout: 60_000 });
  if (code !== 0) throw new Error(`${command}: ${stderr.trim()}`);
}

function findEngine(): string | undefined {
  try {
    execFileSync('docker', ['info'], { stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n').slice(-2);
    return line.trim();
  }
}
