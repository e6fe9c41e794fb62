import { once } from 'node:events';
import type { Readable } from 'node:stream';

import type { Sink } from '../../reports/sink.ts';
import { streamSink } from '../../reports/streamSink.ts';
import { logOf } from '../options/githubActions.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type Keyboard, readKeys } from './keyboard.ts';

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
