import { existsSync, lstatSync, readlinkSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { userInfo } from 'node:os';

/** The endings of a config file that is a program. */
export const programEndings: readonly string[] = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/** The names of a config file, the first found counts. */
export const configNames: readonly string[] = [...programEndings, '.json', '.yaml', '.yml'].map(
  (ending) => `seaworthy.config${ending}`,
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

/**
 * Why somebody else than the user and root may write to a file or a folder; nothing where nobody may, or where the
 * system has no such rights. Links are followed.
 *
 * @example othersMayWrite('/tmp') // 'everybody may write to /tmp'
 */
function othersMayWrite(path: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  const { uid } = statSync(path);
  return uid !== user && uid !== 0 ? `${path} belongs to another user` : writers(path);
}

/**
 * Why somebody else may put another folder in the place of this one, or of one above it; nothing where nobody may. In a
 * folder with the sticky bit, such as `/tmp`, each may replace what is their own only.
 *
 * @example othersMayReplace('/srv/shared/project') // 'everybody may write to /srv/shared'
 */
function othersMayReplace(folder: string): string | undefined {
  if (process.geteuid === undefined) return undefined;
  const above = dirname(realpathSync(folder));
  const isSticky = (statSync(above).mode & 0o1000) !== 0;
  const reason = isSticky ? undefined : writers(above);
  return reason === undefined && dirname(above) !== above ? othersMayReplace(above) : reason;
}

function writers(path: string): string | undefined {
  const { gid, mode } = statSync(path);
  if ((mode & 0o002) !== 0) return `everybody may write to ${path}`;
  return (mode & 0o020) !== 0 && !isOwnGroup(gid) ? `a group may write to ${path}` : undefined;
}

/** Many systems give each user a group of the same name, with nobody else in it, and let it write to what the user makes. */
function isOwnGroup(gid: number): boolean {
  try {
    const { username } = userInfo();
    const groups = readFileSync('/etc/group', 'utf8').split('\n');
    const [name, , , members = ''] = groups.map((line) => line.split(':')).find(([, , id]) => id === String(gid)) ?? [];
    return name === username && (members === '' || members === username);
  } catch {
    return false;
  }
}
