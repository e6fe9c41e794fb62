import { fileURLToPath } from 'node:url';

import { shellWord } from '../../../reports/curl/shell.ts';
import { program, room } from '../../programs.ts';
import { behindProxy } from '../behindProxy.ts';

/** Where a service is to be, and what it is to be given. */
export interface Place {
  readonly port: number;
  /** A file that outlives the process. */
  readonly database: string;
  readonly key: string;
}

/** The shell command that runs a service as a process. */
export type LivingService = (place: Place) => string;

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const inShell = (...words: readonly (string | number)[]): string => words.map((word) => shellWord(`${word}`)).join(' ');

/** Attempts come quickly, but not so that a kit on a busy machine misses the pauses between them. */
const backoff = '25ms';

/**
 * The reference service.
 *
 * @param fault - one of `reference/faults/service/index.ts`
 * @param timeout - milliseconds that a delivery may take
 */
export function reference(fault?: string, timeout = 250): LivingService {
  const main = program('service');
  const mistake = fault === undefined ? [] : ['--fault', fault];
  const pace = ['--backoff', backoff, '--timeout', `${timeout}ms`];
  return ({ port, database, key }) =>
    `exec ${inShell(process.execPath, ...room, main, '--port', port, '--token', key, '--database', database, ...pace, ...mistake)}`;
}

/** It starts behind a proxy that is there first. @param lease - milliseconds that a claim holds */
export function leased(lease: number): LivingService {
  return ({ port, database, key }) =>
    behindProxy(
      port,
      '502',
      `sleep 0.2; exec ${inShell(process.execPath, ...room, at('leased.ts'), '127.0.0.1')} $INNER_PORT ${inShell(database, key, lease)}`,
    );
}

/** Services that lose nothing in a crash, each in another way: no check may find fault with any of them. */
export const livingServices: Readonly<Record<string, LivingService>> = {
  reference: reference(),
  'leased queue': leased(550),
};
