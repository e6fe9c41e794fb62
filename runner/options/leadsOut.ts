import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** So many links in a row lead to nothing. */
const mostLinks = 40;

/**
 * Whether what is written to a path would come to lie outside a folder, or in what Git keeps in it. Links are followed, also
 * those to what is not there yet.
 */
export function leadsOut(path: string, folder: string): boolean {
  const place = destination(resolve(folder, path), mostLinks);
  if (place === undefined) return true;
  const inside = relative(realpathSync(folder), place);
  return isAbsolute(inside) || inside.split(sep).some((name) => name === '..' || /^\.git$/i.test(name));
}

/** Where a path leads; nothing where its links lead in a circle. */
function destination(path: string, links: number): string | undefined {
  if (links === 0) return undefined;
  if (dirname(path) === path) return path;
  const folder = destination(dirname(path), links);
  if (folder === undefined) return undefined;
  const place = join(folder, basename(path));
  const target = linkAt(place);
  return target === undefined ? place : destination(resolve(folder, target), links - 1);
}

function linkAt(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}
