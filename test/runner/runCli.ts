import { spawn, type ChildProcess } from 'node:child_process';
import { program, room } from '../programs.ts';

const main = program('seaworthy');
/** What a start needs, and what makes it short. */
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** What a program left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the program is started. */
export interface CliOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with all of standard output whenever it has grown. */
  readonly onOutput?: (stdout: string, child: ChildProcess) => void;
  /** Starts it in a process group of its own, as a shell does. Default false. */
  readonly detached?: boolean;
}

/** Runs the program as a user does, in an environment that holds nothing of the tests'. */
export function runCli(
  words: readonly string[],
  { cwd, environment = {}, onOutput, detached = false }: CliOptions,
): Promise<Ended> {
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...environment };
  const child = spawn(process.execPath, [...room, main, ...words], {
    cwd,
    env,
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.(stdout, child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Acts the first time that the text is in the output. */
export function once<End>(text: string, action: (end: End) => void): (stdout: string, end: End) => void {
  let done = false;
  return (stdout, end) => {
    if (done || !stdout.includes(text)) return;
    done = true;
    action(end);
  };
}
