import { fileURLToPath } from 'node:url';

import { shellWord } from '../../reports/curl/shell.ts';

const proxy = fileURLToPath(new URL('proxy.ts', import.meta.url));

/**
 * The shell command that starts a target behind a proxy, which takes connections from the first moment on.
 *
 * @param port - where the proxy listens
 * @param meanwhile - what it does with connections until the target listens
 * @param command - starts the target, which is to listen at the port in the variable `INNER_PORT`
 */
export function behindProxy(port: number, meanwhile: '502' | 'breaks-off', command: string): string {
  return `exec ${[process.execPath, proxy, String(port), meanwhile, command].map(shellWord).join(' ')}`;
}
