import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';

import { TargetError } from '../errors.ts';
import type { Announcement, KeptOutput } from './programOutput.ts';
import { NotLaunched, type Start, type Death } from './targetProcess.ts';
import { settlesWithin } from './stopGrace.ts';

/** Milliseconds that the kernel may take to end or to stop processes; far longer than it ever does. */
const kernelTime = 10_000;

/** Milliseconds between two looks at processes that are about to end, and at those that run without their leader. */
const interval = { soon: 3, idle: 50 };

/** Milliseconds that output may stay open after the last process has ended: one that got away may hold it. */
const outputGrace = 300;

/** One run of a command, from its shell to the last process that came of it. */
export class CommandStart implements Start {
  readonly leader: number;
  readonly ended: Promise<Death>;
  /** Resolves as soon as no process is left; {@link ended} waits for the output too. */
  readonly gone: Promise<Death>;
  readonly #child: ChildProcess;
  readonly #family: Family;
  readonly #left: Promise<Death>;
  #leaderLeft = false;
  #paused = false;
  #ending = false;
  #killed = false;
  #over = false;

  /**
   * @param announced - what waits for a line of it
   * @throws NotLaunched where no shell can be started
   */
  constructor(command: string, env: NodeJS.ProcessEnv, mark: string, output: KeptOutput, announced?: Announcement) {
    const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env });
    if (child.pid === undefined) throw notLaunched(child);
    output.keep(child.stdout);
    announced?.read(child.stdout);
    output.keep(child.stderr);
    this.#child = child;
    this.leader = child.pid;
    this.#family = { leader: child.pid, began: beginOf(child.pid), mark, known: new Map() };
    const closed = once(child, 'close');
    this.#left = once(child, 'exit').then(([code, signal]) => {
      this.#leaderLeft = true;
      return { code: code as number | null, signal: signal as string | null };
    });
    this.gone = this.#left.then((death) => this.#untilGone(death));
    this.ended = this.gone.then(async (death) => {
      await settlesWithin(closed, outputGrace);
      child.stdout.destroy();
      child.stderr.destroy();
      return death;
    });
  }

  async kill(): Promise<void> {
    this.#ending = true;
    this.#killed = true;
    this.killNow();
    if (!(await settlesWithin(this.gone, kernelTime))) throw this.#stuck('killed');
  }

  /** Sends SIGKILL to all that is there, and waits for nothing. */
  killNow(): void {
    if (!this.#over) this.#signal('SIGKILL');
  }

  /**
   * To the leader first, as an init or a container engine does, and to those that are still there when it has gone. All
   * at once would reach a server behind `npm start` twice, since npm passes the signal on.
   */
  terminate(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#ending = true;
    this.#members();
    if (!this.#leaderLeft) signalTo(this.leader, 'SIGTERM');
    void this.#left.then(() => this.#over || this.#signal('SIGTERM'));
    // What stands still takes its signals when it goes on.
    return this.#paused ? this.resume() : Promise.resolve();
  }

  async pause(): Promise<void> {
    this.#paused = true;
    this.#signal('SIGSTOP');
    const deadline = performance.now() + kernelTime;
    while (!this.#over && processesAreShown && !this.#members().every(standsStill)) {
      if (performance.now() > deadline) throw this.#stuck('paused');
      await delay(interval.soon);
      this.#signal('SIGSTOP');
    }
  }

  resume(): Promise<void> {
    this.#paused = false;
    if (!this.#over) this.#signal('SIGCONT');
    return Promise.resolve();
  }

  /** To the group, and to each that has left it. The number of a group is nobody else's while its leader is not reaped. */
  #signal(name: NodeJS.Signals): void {
    // Once the group is killed, nothing shows any more from whom the others descend.
    this.#members();
    if (!this.#leaderLeft || !processesAreShown) signalTo(-this.leader, name);
    for (const pid of this.#members()) if (this.#leaderLeft || pid !== this.leader) signalTo(pid, name);
  }

  #members(): readonly number[] {
    if (processesAreShown) return membersOf(this.#family);
    return signalTo(-this.leader, 0) ? [-this.leader] : [];
  }

  /** Where all of it is killed, what was just made when the others were is killed here. */
  async #untilGone(death: Death): Promise<Death> {
    // While it starts its program a process shows no environment: one that the leader left behind may be missed once.
    const mayLeaveBehind = death.code === 0 && !this.#ending;
    for (let looks = mayLeaveBehind ? 2 : 1; looks > 0;) {
      const left = this.#members();
      if (left.length === 0) looks -= 1;
      if (this.#killed) for (const pid of left) signalTo(pid, 'SIGKILL');
      if (looks > 0) await delay(this.#ending ? interval.soon : interval.idle);
    }
    this.#over = true;
    return death;
  }

  #stuck(what: string): TargetError {
    const left = this.#members().join(', ');
    return new TargetError('SW_LIFE_FAILED', {
      received: `${this.#child.spawnargs.at(-1)}: its processes could not be ${what} within ${kernelTime / 1000} s: ${left}`,
      valid: 'processes that this user may end and stop',
      next: 'end them by hand; see what holds them (another user, a device that does not answer)',
    });
  }
}

function notLaunched(child: ChildProcess): NotLaunched {
  child.on('error', () => {});
  return new NotLaunched('the system starts no shell (too many processes, or too little memory?)');
}

/** @returns whether there was anything to send it to */
function signalTo(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** A process as Linux shows it below /proc. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it began, in ticks since the system did. */
  readonly began: number;
  /** True where it waits to be reaped: it holds nothing any more. */
  readonly over: boolean;
}

/** What belongs to one start of a command. */
interface Family {
  /** The first process, which leads a group and a session of its own. */
  readonly leader: number;
  /** When the leader began, in ticks since the system did; what began earlier belongs to nobody here. 0: not known. */
  readonly began: number;
  /** Stands in the environment of everything that was started, unless a process wiped it out. */
  readonly mark: string;
  /** When those began that were seen to belong to it: a daemon may wipe out the mark, and outlive its parent. */
  readonly known: Map<number, number>;
}

/** Far longer than a stat file. */
const statBuffer = Buffer.alloc(4096);

/** Whether this system shows its processes below /proc. Elsewhere only the group of a command is known. */
const processesAreShown = statOf('self') !== undefined;

/** When a process began, in ticks since the system did; 0 where that is not shown. */
function beginOf(pid: number): number {
  return statOf(String(pid))?.began ?? 0;
}

/**
 * The living processes of a family: the group and the session of its leader, what carries its mark although it left both,
 * and what descends from any of these.
 */
function membersOf(family: Family): readonly number[] {
  const oldest = lastPid() < family.leader ? 0 : family.leader;
  const young = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) >= oldest)
    .flatMap((name) => statOf(name) ?? [])
    .filter(({ began, over }) => began >= family.began && !over);
  const members = new Set<number>();
  for (const process of young)
    if (family.known.get(process.pid) === process.began || belongs(process, family)) members.add(process.pid);
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const { pid, parent } of young) if (members.has(parent)) members.add(pid);
  }
  for (const { pid, began } of young) if (members.has(pid)) family.known.set(pid, began);
  return [...members];
}

/** The number that the system gave last: it counts up, and where it is below a process, it began again meanwhile. */
function lastPid(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

function belongs({ pid, group, session }: Process, { leader, mark }: Family): boolean {
  if (group === leader || session === leader) return true;
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false;
  }
}

/**
 * Whether every thread of a process stands still, or the process is no more. One that waits within the kernel (D) runs nothing,
 * and stops before it runs again: where it has made a process with vfork, it waits so until that process goes on.
 */
function standsStill(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const stat = readStat(`/proc/${pid}/task/${thread}/stat`);
      return stat === undefined || 'TtDZX'.includes(stat[0] ?? '');
    });
  } catch {
    return true;
  }
}

function statOf(name: string): Process | undefined {
  const stat = readStat(`/proc/${name}/stat`);
  if (stat === undefined) return undefined;
  const [state = '', ...numbers] = stat;
  const [parent = 0, group = 0, session = 0] = numbers.map(Number);
  return { pid: Number(name), parent, group, session, began: Number(numbers[18]), over: 'ZX'.includes(state) };
}

/** The fields of a stat file from the state on: what stands before may hold blanks and brackets. */
function readStat(path: string): readonly string[] | undefined {
  let file: number | undefined;
  try {
    // Hundreds of these are read at a time: `readFileSync` asks for the size of each, and reads it twice.
    file = openSync(path, 'r');
    const text = statBuffer.toString('latin1', 0, readSync(file, statBuffer));
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
