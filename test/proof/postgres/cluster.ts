import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A PostgreSQL server of this test's own, without a port: it is reached through a socket in its folder. */
export interface Cluster {
  /** What a client finds it by. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it, and removes its folder. */
  close(): Promise<void>;
}

/** The folder of PostgreSQL's programs: Debian's newest, or one of PATH; nothing where there is none. */
export function findPostgres(): string | undefined {
  const debian = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => versionOf(b) - versionOf(a));
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return [...debian, ...path].find((folder) => existsSync(join(folder, 'initdb')));
}

function versionOf(folder: string): number {
  return Number(folder.split('/').at(-2));
}

/**
 * Makes and starts a cluster in a temporary folder. What is killed in these tests is its client, never the server, so that
 * it need not wait for the disk.
 *
 * @param programs - see {@link findPostgres}
 */
export async function startCluster(programs: string): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'seaworthy-postgres-'));
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  const initdb = ['--pgdata', data, '--auth', 'trust', '--username', 'receiver', '--encoding', 'UTF8', '--no-sync'];
  execFileSync(join(programs, 'initdb'), [...initdb, '--locale', 'C'], { ...owner, cwd: folder, stdio: 'pipe' });
  const settings = [`unix_socket_directories=${folder}`, 'listen_addresses=', 'fsync=off', 'lc_messages=C'];
  const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs, 'postgres'), words, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  const end = () => server.kill('SIGQUIT');
  process.once('exit', end);
  await untilReady(server.stderr);
  return {
    env: { PGHOST: folder, PGUSER: 'receiver', PGDATABASE: 'postgres' },
    close: async () => {
      process.off('exit', end);
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** PostgreSQL refuses to run as root: there it runs as the user that its package has made. */
function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  chownSync(folder, uid!, gid!);
  return { uid: uid!, gid: gid! };
}

/** @throws Error with what the server said, where it ended first */
async function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    output.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
    output.once('end', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
}
