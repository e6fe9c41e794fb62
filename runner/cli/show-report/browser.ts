import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that opens an address, and what stands before the address. */
export type Browser = readonly [program: string, ...words: string[]];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What opens a page for the person at this machine; nothing in CI, and where there is no display. `BROWSER` names another
 * program, or `none`.
 *
 * @example browserFor('darwin', {}) // ['open']
 */
export function browserFor(platform: NodeJS.Platform, environment: Environment): Browser | undefined {
  const { BROWSER: own, CI, DISPLAY, WAYLAND_DISPLAY } = environment;
  if (own === 'none' || (CI && CI !== 'false')) return undefined;
  if (own) return [own];
  if (platform === 'darwin') return ['open'];
  // The first quoted word is the title of a window.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  // Without a display xdg-open would take a browser for terminals.
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Starts it, and leaves it to itself. @returns false where it cannot be started */
export async function openPage([program, ...words]: Browser, address: string): Promise<boolean> {
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  child.unref();
  return true;
}
