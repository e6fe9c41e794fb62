import { fileURLToPath } from 'node:url';

import { shellWord } from '../../../reports/curl/shell.ts';
import { program, room } from '../../programs.ts';
import { behindProxy } from '../behindProxy.ts';

/** What a receiver needs to be started as a process. */
export interface Place {
  readonly port: number;
  /** A file that outlives the process. */
  readonly database: string;
  readonly secret: string;
}

/** How a receiver is started as a process, and where it is found then. */
export interface LivingReceiver {
  readonly command: (place: Place) => string;
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  readonly path: string;
  /** Where effects are counted: a path that holds `{id}`. */
  readonly probe: string;
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const inShell = (...words: readonly string[]): string => words.map(shellWord).join(' ');

/** The reference receiver, with the mistake of this name where one is given. */
export function reference(fault?: string): LivingReceiver {
  const main = program('receiver');
  const mistake = fault === undefined ? [] : ['--fault', fault];
  return {
    command: ({ port, database, secret }) =>
      `exec ${inShell(process.execPath, ...room, main, '--port', String(port), '--secret', secret, '--database', database, ...mistake)}`,
    path: '/hooks',
    probe: '/effects/{id}',
  };
}

function script(path: string, probe: string): LivingReceiver {
  return {
    command: ({ port, database, secret }) =>
      inShell(process.execPath, ...room, at(path), String(port), database, secret),
    path: '/',
    probe,
  };
}

/** Refuses for a second what a killed process had begun, and takes it then. */
export const locking: LivingReceiver = script('locking.ts', '/effects/{id}');

/** Receivers that keep what they acknowledge across a crash, each in another way: no check may find fault with any of them. */
export const livingReceivers: Readonly<Record<string, LivingReceiver>> = {
  reference: reference(),
  'append-only file': script('appendOnly.ts', '/count/{id}'),
  'leased jobs': script('leased.ts', '/effects/{id}'),
  python: {
    // It takes half a second to start, behind a proxy that takes connections meanwhile.
    command: ({ port }) =>
      behindProxy(
        port,
        'breaks-off',
        `sleep 0.5; RECEIVER_PORT=$INNER_PORT exec python3 ${at('../receivers/python.py')}`,
      ),
    env: ({ database, secret }) => ({
      RECEIVER_DATABASE: database,
      RECEIVER_SECRETS: JSON.stringify([secret]),
    }),
    path: '/notifications',
    probe: '/effects/{id}',
  },
};
