import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

import { othersMayReplace, othersMayWrite } from './othersMayWrite.ts';

/** The names of a config file, the first found counts. */
export const configNames: readonly string[] = ['ts', 'js', 'json', 'yaml'].map(
  (ending) => `seaworthy.config.${ending}`,
);

/** What a search for a config file came to. */
export interface FoundConfig {
  /** Nothing where there is none that may be taken. */
  readonly file?: string;
  /** Nearer ones that were passed over, and why. */
  readonly passed: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * The nearest config file from a folder upward, to the root of its repository and no further. A config file can run
 * code, so that one is passed over which somebody else than the user and root could have written, or which came with an
 * installed package.
 *
 * @param from - an absolute path
 */
export function findConfig(from: string): FoundConfig {
  const passed: { file: string; reason: string }[] = [];
  for (const folder of searchedFolders(from)) {
    const file = configNames.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (file === undefined) continue;
    const reason = untrusted(file);
    if (reason === undefined) return { file, passed };
    passed.push({ file, reason });
  }
  return { passed };
}

/**
 * A folder and those above it, up to the root of the repository: the nearest with `.git` (a folder, or the file of a
 * worktree), else the nearest with `package.json`. Where there is neither, the folder alone.
 */
function searchedFolders(from: string): readonly string[] {
  const all = [from];
  for (let folder = dirname(from); folder !== all.at(-1); folder = dirname(folder)) all.push(folder);
  const own = all.filter((folder) => !isInstalled(folder));
  const nearestWith = (name: string): string | undefined => own.find((folder) => existsSync(join(folder, name)));
  const root = nearestWith('.git') ?? nearestWith('package.json') ?? from;
  return all.slice(0, all.indexOf(root) + 1);
}

function untrusted(file: string): string | undefined {
  if (isInstalled(dirname(file))) return 'it is inside node_modules';
  const reasons = linked(file).flatMap((path) => [
    ...[dirname(path), path].map(othersMayWrite),
    othersMayReplace(dirname(path)),
  ]);
  return reasons.find((reason) => reason !== undefined);
}

/** A file, and what it is a link to. */
function linked(file: string): readonly string[] {
  if (!lstatSync(file).isSymbolicLink()) return [file];
  return [file, ...linked(resolve(dirname(file), readlinkSync(file)))];
}

function isInstalled(folder: string): boolean {
  return folder.split(sep).includes('node_modules');
}
