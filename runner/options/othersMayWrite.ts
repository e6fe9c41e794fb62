import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * Why somebody else than the user and root may write to a file or a folder; nothing where nobody may, or where the
 * system has no such rights. Links are followed.
 *
 * @example othersMayWrite('/tmp') // 'everybody may write to /tmp'
 */
export function othersMayWrite(path: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  const { uid, gid, mode } = statSync(path);
  if (uid !== user && uid !== 0) return `${path} belongs to another user`;
  if ((mode & 0o002) !== 0) return `everybody may write to ${path}`;
  if ((mode & 0o020) !== 0 && !isOwnGroup(gid)) return `a group may write to ${path}`;
  return undefined;
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
