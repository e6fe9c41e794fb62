import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A small process that outlives this one. Its standard input is a pipe from here: where that closes although {@link dismiss}
 * was not called, this process is gone, however it ended, and the guard cleans up after it.
 */
export class Guard {
  readonly #process: ChildProcess;

  /**
   * @param program - reads lines, remembers the last one, and leaves at `done`; at the end of the input it cleans up
   */
  constructor(program: string, args: readonly string[]) {
    this.#process = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    this.#process.on('error', () => {});
    this.#process.stdin?.on('error', () => {});
    this.#process.unref();
    if (this.#process.stdin !== null && 'unref' in this.#process.stdin)
      (this.#process.stdin as { unref(): void }).unref();
  }

  /** Says what there is to clean up from now on. */
  tell(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
  }

  /** There is nothing left to clean up: it ends. */
  async dismiss(): Promise<void> {
    const { pid, exitCode, signalCode, stdin } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    this.#process.ref();
    const ended = once(this.#process, 'exit');
    stdin?.end('done\n');
    await ended;
  }
}

/** The label whose value distinguishes the containers of one target process from all others. */
export const processLabel = 'seaworthy.life';
