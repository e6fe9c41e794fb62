import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What the service prints when it listens. */
export interface Addresses {
  readonly url: string;
  readonly token: string;
  readonly emit: string;
  readonly trackable: string;
  readonly untrackable: string;
}

/** A run of the service suite, start of the program included. */
export interface ServiceRun {
  /** Milliseconds of the whole run. */
  readonly wall: number;
  /** Milliseconds of the longest series of attempts in it. */
  readonly series: number;
  readonly exit: number;
}

/** The reference service as a process. */
export interface StartedService {
  readonly addresses: Addresses;
  close(): Promise<void>;
}

/** @param pause - between the attempts of a notification: `20ms` */
export async function startService(pause: string): Promise<StartedService> {
  const options = ['--port', '0', '--backoff', pause, '--timeout', '1s'];
  const service = spawn(process.execPath, [program('../reference/service/main.ts'), ...options]);
  return {
    addresses: await addressesOf(service),
    close: async () => {
      const ended = once(service, 'exit');
      service.kill();
      await ended;
    },
  };
}

/** Tests the reference service against the contract, and sets the time of the whole run beside the longest series. */
export async function serviceRun(pause: string): Promise<ServiceRun> {
  const service = await startService(pause);
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-bench-'));
  try {
    const journal = join(directory, 'journal.ndjson');
    const begun = performance.now();
    const exit = await hold(service.addresses, journal);
    const wall = performance.now() - begun;
    return { wall, series: longestSeries(await readFile(journal, 'utf8')), exit };
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function addressesOf({ stdout }: ChildProcess): Promise<Addresses> {
  const [line] = (await once(stdout!, 'data')) as [Buffer];
  return JSON.parse(line.toString()) as Addresses;
}

async function hold({ url, token, emit, trackable, untrackable }: Addresses, journal: string): Promise<number> {
  const words = ['service', url, '--token', token, '--emit', emit, '--trackable', trackable];
  const rest = ['--untrackable', untrackable, '--seed', '1', '--report', `journal=${journal}`];
  const kit = spawn(process.execPath, [program('../runner/cli/main.ts'), ...words, ...rest], { stdio: 'ignore' });
  const [code] = (await once(kit, 'exit')) as [number];
  return code;
}

/** Milliseconds from the first to the last attempt of the notification that was tried for longest. */
function longestSeries(journal: string): number {
  const first = new Map<string, number>();
  let longest = 0;
  for (const line of journal.trimEnd().split('\n')) {
    const event = JSON.parse(line) as { type: string; ms: number; endpoint: string; id: string };
    if (event.type !== 'delivery.caught') continue;
    const name = `${event.endpoint} ${event.id}`;
    const since = first.get(name) ?? event.ms;
    first.set(name, since);
    longest = Math.max(longest, event.ms - since);
  }
  return longest;
}
