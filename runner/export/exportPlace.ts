import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';

/** Where exported files go: to a folder, or to a file where the path has an ending and no such folder is there. */
export function exportPlace(path: string, workingDirectory: string) {
  const place = resolve(workingDirectory, path);
  const isFolder = path.endsWith('/') || extname(path) === '' || (existsSync(place) && statSync(place).isDirectory());
  return { place, isFolder };
}
