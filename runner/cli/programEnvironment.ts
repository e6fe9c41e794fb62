import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path';
import type { Readable } from 'node:stream';

import { shellWord } from '../../reports/curl/shell.ts';
import { type Sink, streamSink } from '../../reports/sink.ts';
import { UsageError } from '../errors.ts';
import { logOf } from '../options/githubActions.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** The edges of the program: what a command reads and writes beside its target. */
export interface ProgramEnvironment {
  /** For people: in a job of GitHub Actions nothing in it is taken for a workflow command. */
  readonly stdout: Sink;
  /** Standard output as well, for whole reports in the formats of programs, and for workflow commands. */
  readonly documents: Sink;
  readonly stderr: Sink;
  /** Opens what questions are answered on, if that is a terminal. Default: nobody answers. */
  readonly openInput?: () => Readable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** The file that Node was started with. Default: not known. */
  readonly script?: string | undefined;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /** The keys of the terminal that the user types at. Default: there is none. */
  readonly keyboard?: Keyboard | undefined;
  /** Why standard output took nothing any more, such as a full disk; nothing where it took all, or its reader left. */
  readonly unwritten?: Error | undefined;
}

/** The same for a command: what it learns of secrets is written to neither of the two streams. */
export interface CommandWorld extends ProgramEnvironment {
  readonly secrets: Secrets;
}

/** The environment of this process. A reader that goes away (`| head`) ends nothing but the writing. */
export function processEnvironment(): ProgramEnvironment {
  let unwritten: Error | undefined;
  process.stdout.on('error', (error) => (unwritten ??= isClosedPipe(error) ? undefined : error));
  // Nobody is left to inform.
  process.stderr.on('error', () => {});
  const documents = streamSink(process.stdout, process.env);
  return {
    stdout: logOf(documents, process.env),
    documents,
    stderr: logOf(streamSink(process.stderr, process.env), process.env),
    openInput: () => process.stdin,
    environment: process.env,
    workingDirectory: process.cwd(),
    script: process.argv[1],
    signal: interruption(),
    keyboard: { read: (onKey) => readKeys(onKey) },
    get unwritten() {
      return unwritten;
    },
  };
}

function isClosedPipe({ code }: NodeJS.ErrnoException): boolean {
  // EIO: the terminal itself is gone.
  return code === 'EPIPE' || code === 'EIO';
}

/** The first signal asks for an orderly end, the second one ends at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    process.stderr.write('\nInterrupted: finishing. Press Ctrl-C again to end at once.\n');
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  return controller.signal;
}

/** Waits for the end that the user asks for. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Files and connections that a command needs at least: with fewer Node itself may crash in the middle of a run. */
const fewest = 32;

/** @throws UsageError where this process may open too few files and connections; where that is not known, none */
export function requireFiles(): void {
  const most = mostFiles();
  if (most === undefined || most >= fewest) return;
  throw new UsageError('SW_FILES_FEW', {
    received: `this process may open ${most} files and connections`,
    valid: `at least ${fewest}; 256 for a run at its usual speed`,
    next: 'raise the limit with ulimit -n',
  });
}

/** What the system says of this process. Only Linux does without a long report. */
function mostFiles(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** The keys of a terminal, one by one. */
export interface Keyboard {
  /**
   * Reads keys as they are pressed.
   *
   * @returns restores the terminal; nothing where the user types at none
   */
  read(onKey: (key: string) => void): (() => void) | undefined;
}

/** What a terminal sends for Ctrl-C and Ctrl-Z, which mean nothing to it while single keys are read. */
const interrupt = '\u0003';
const suspend = '\u001a';

/** Reads keys of standard input, where it is a terminal. Ctrl-C and Ctrl-Z do what they always do. */
function readKeys(onKey: (key: string) => void): (() => void) | undefined {
  const { stdin } = process;
  if (!stdin.isTTY) return undefined;
  const setRaw = (raw: boolean): void => void stdin.setRawMode(raw);
  const onData = (text: string): void => {
    // An arrow or another key of several bytes is one key, and none of ours.
    const keys = text.startsWith('\u001b') ? [text] : Array.from(text);
    for (const key of keys) {
      if (key === interrupt) process.kill(process.pid, 'SIGINT');
      else if (key === suspend) pause();
      else onKey(key);
    }
  };
  const pause = (): void => {
    setRaw(false);
    process.once('SIGCONT', () => setRaw(true));
    process.kill(process.pid, 'SIGSTOP');
  };
  const restore = (): void => {
    stdin.off('data', onData).pause();
    setRaw(false);
    process.off('exit', restore);
  };
  setRaw(true);
  stdin.setEncoding('utf8').on('data', onData).resume();
  process.on('exit', restore);
  return restore;
}

type Started = Pick<ProgramEnvironment, 'environment' | 'script' | 'workingDirectory'>;

/** The words that start the kit again, as it was started: by its name where a shell finds that. */
export function programOf({ environment, script, workingDirectory }: Started): string {
  const npmScript = environment['npm_lifecycle_event'] ?? '';
  if (['seaworthy', 'demo'].includes(npmScript)) return 'npm run -s seaworthy --';
  if (script === undefined) return 'seaworthy';
  const byNpm = npmScript !== '' || environment['npm_command'] !== undefined;
  if (basename(script) === 'seaworthy' && !byNpm && isOnPath(script, environment['PATH'])) return 'seaworthy';
  if (basename(script) === 'seaworthy' || /[\\/]node_modules[\\/]/.test(script)) return 'npx seaworthy';
  const inside = relative(workingDirectory, script);
  const path = inside.startsWith('..') || isAbsolute(inside) ? script : inside;
  return `${environment['npm_command'] === 'exec' ? 'npx ' : ''}node ${shellWord(path)}`;
}

function isOnPath(script: string, path = ''): boolean {
  return path.split(delimiter).includes(dirname(script));
}
