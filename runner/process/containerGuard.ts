import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Guard } from './guard.ts';

/** Watches over the containers that carry a mark. */
export function containerGuard(mark: string): Guard {
  const program = new URL(`./removeContainers${extname(import.meta.url)}`, import.meta.url);
  return new Guard(process.execPath, [fileURLToPath(program), mark]);
}
