import { readFileSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/**
 * Why somebody else than the user and root may write to a file or a folder; nothing where nobody may, or where the
 * system has no such rights. Links are followed.
 *
 * @example othersMayWrite('/tmp') // 'everybody may write to /tmp'
 */
export function othersMayWrite(path: string): string | undefined {
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
export function othersMayReplace(folder: string): string | undefined {
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
