import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

import { userEnvironment } from './userEnvironment.ts';

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
