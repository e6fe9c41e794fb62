import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

export interface CommandOptions {
  /** Written to standard input, which is then closed. Default: empty. */
  readonly input?: string | Buffer;
  /** Added to the environment of the user's shell. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds until the command, with all that it started, is killed. */
  readonly timeout: number;
  /** Default: the working directory of this process. */
  readonly cwd?: string;
  /** Bytes of each output stream that are kept; the rest is read and thrown away. Default: 1 MiB. */
  readonly outputLimit?: number;
  /** Kills the command, with all that it started. */
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  /** The exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** True where an output stream had more than `outputLimit` bytes. */
  readonly truncated: boolean;
}

/** Milliseconds that the output may stay open after the command has ended: what it left running may hold it. */
const outputGrace = 500;

/**
 * Runs a shell command in a process group of its own and waits for its end. What it leaves running in the background
 * goes on, unless the time-out comes first.
 *
 * @throws where no shell can be started (a `cwd` that does not exist)
 */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  const { input = '', env, cwd, timeout, outputLimit = 1024 * 1024, signal } = options;
  const child = spawn(command, { shell: true, detached: true, cwd, env: { ...userEnvironment(), ...env } });
  const stdout = collect(child.stdout, outputLimit);
  const stderr = collect(child.stderr, outputLimit);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, timeout);
  const abort = (): void => killGroup(child);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  // A command that reads no input closes it early, which is no failure.
  child.stdin.on('error', () => {}).end(input);
  try {
    const { code, signal: endedBy } = await ended(child);
    const truncated = stdout.truncated() || stderr.truncated();
    return { code, signal: endedBy, stdout: stdout.text(), stderr: stderr.text(), timedOut, truncated };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

interface Output {
  text(): string;
  truncated(): boolean;
}

function collect(stream: Readable, limit: number): Output {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < limit) chunks.push(chunk.subarray(0, limit - bytes));
    bytes += chunk.length;
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), truncated: () => bytes > limit };
}

type Ending = Pick<CommandResult, 'code' | 'signal'>;

/** Resolves when the command has ended and its output is read, as far as it comes within the grace. */
function ended(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve, reject) => {
    let grace: NodeJS.Timeout | undefined;
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      grace = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      }, outputGrace);
    });
    child.once('close', (code, signal) => {
      clearTimeout(grace);
      resolve({ code, signal });
    });
  });
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The end of what a command said. What is cut begins with a whole word: a part of one may be a part of a secret. */
export function endOfOutput(text: string, most: number): string {
  const said = text.trim();
  return said.length <= most ? said : `…${said.slice(-most).replace(/^\S*\s*/, '')}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What npm sets for a script, beside the path. pnpm, Yarn and Bun set the same variables or some of them. */
const setByNpm = /^(?:npm_.*|INIT_CWD|NODE|COLOR|EDITOR)$/;

/** The last entry that npm, pnpm and Yarn put on the path, after the folders of packages that they begin with. */
const lastOfNpm = /[\\/]node-gyp-bin$/;

const ofPackages = /[\\/]node_modules[\\/]\.bin$/;

/** Where npx keeps what it installs for one call. */
const ofNpx = /[\\/]_npx[\\/][^\\/]+[\\/]node_modules[\\/]\.bin$/;

/** Where a clone of the kit has its own Node, which npm puts on the path of a script. */
const ofClone = join(dirname(createRequire(import.meta.url).resolve('seaworthy/package.json')), 'node_modules', '.bin');

/**
 * The environment of the shell that the kit was called from, for the commands of its user. Where npm started the kit under
 * a Node of the kit's own (the clone's, or one that npx installed), that Node comes first on the path, and modules that the
 * target compiled for the user's Node would not load. So what npm added is left out, and what it replaced is put back.
 *
 * Where npm started the kit under the user's own Node, the packages of his project may be on the path: nothing changes.
 *
 * @param given - the environment of the kit. Default: that of this process
 */
export function userEnvironment(given: Environment = process.env): Environment {
  if (!isOfKit(given)) return given;
  const kept = Object.entries(given).filter(([name]) => !setByNpm.test(name));
  const caller = callerEnvironment();
  const replaced = Object.entries(caller).filter(([name]) => setByNpm.test(name));
  const path = pathWithoutKit(given['PATH'] ?? '', caller['PATH'] ?? '');
  return { ...Object.fromEntries([...kept, ...replaced]), PATH: path };
}

/** Whether npm made an environment, and put a Node of the kit's own on its path. */
function isOfKit({ npm_lifecycle_event: event, PATH = '' }: Environment): boolean {
  return event !== undefined && PATH.split(delimiter).some(holdsKitNode);
}

function holdsKitNode(folder: string): boolean {
  return existsSync(join(folder, 'node')) && (ofNpx.test(folder) || realpathSync(folder) === ofClone);
}

/** Leaves out what npm put on the path, and neither what its caller had there nor what a command line added. */
function pathWithoutKit(path: string, ofCaller: string): string {
  const known = ofCaller !== '' && path.endsWith(`${delimiter}${ofCaller}`);
  const entries = (known ? path.slice(0, -ofCaller.length - delimiter.length) : path).split(delimiter);
  const lastKit = entries.findLastIndex(holdsKitNode);
  const last = entries.findIndex((entry, index) => index > lastKit && lastOfNpm.test(entry));
  const added = entries.splice(0, Math.max(last, lastKit) + 1);
  const others = added.filter((entry) => !ofPackages.test(entry) && !lastOfNpm.test(entry));
  return [...others, ...entries, ...(known ? [ofCaller] : [])].join(delimiter);
}

/**
 * The environment in which npm itself was called: that of the nearest process above this one which is not its doing. Empty
 * where the system does not show it.
 */
function callerEnvironment(): Environment {
  try {
    for (let pid = String(process.ppid); pid !== '0'; pid = parentOf(pid)) {
      const environment = environmentOf(pid);
      if (!isOfKit(environment)) return environment;
    }
  } catch {
    // No /proc, or a process of another user.
  }
  return {};
}

/** The environment that a process began with: what it changed since does not show. */
function environmentOf(pid: string): Environment {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.replace(/=.*$/s, ''), entry.slice(entry.indexOf('=') + 1)] as const),
  );
}

function parentOf(pid: string): string {
  return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0';
}
