import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A terminal as a reader of a document has it: what one command leaves behind (folder, variables), the next one finds. */
export class Terminal {
  readonly #state: string;
  readonly #changes = new EventEmitter();
  #output = '';
  /** How far the output has been looked at. */
  #seen = 0;
  #running: { readonly child: ChildProcess; readonly closed: Promise<unknown> } | undefined;

  private constructor(state: string) {
    this.#state = state;
  }

  /** @param home - where `~` is @param cwd - where the terminal begins @param first - a folder to look for programs in first */
  static async open(home: string, cwd: string, first?: string): Promise<Terminal> {
    const state = join(await mkdtemp(join(home, '.terminal-')), 'state.sh');
    const path = first === undefined ? '' : `export PATH="${first}:$PATH"\n`;
    await writeFile(state, `cd '${cwd}'\nexport HOME='${home}'\n${path}`);
    return new Terminal(state);
  }

  /** Types commands in, after ending with Ctrl-C what still runs. Settles with their exit code, once they have ended. */
  async run(commands: string): Promise<number | null> {
    await this.interrupt();
    const leave = `{ echo "cd '$PWD'"; export -p; } > '${this.#state}'`;
    const script = `. '${this.#state}'\ntrap : INT\n${commands}\ncode=$?\n${leave}\nexit $code\n`;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE };
    const child = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', this.#hear);
    this.#running = { child, closed: once(child, 'close') };
    await this.#running.closed;
    this.#running = undefined;
    this.#changes.emit('change');
    return child.exitCode;
  }

  /** Ctrl-C: for everything that runs in this terminal. */
  async interrupt(): Promise<void> {
    if (this.#running === undefined) return;
    const { child, closed } = this.#running;
    process.kill(-child.pid!, 'SIGINT');
    await closed;
  }

  /**
   * Waits until these lines have come, in this order, others between them or not.
   *
   * @throws Error where the time is over before they have
   */
  async show(lines: readonly RegExp[], timeLimit: number): Promise<void> {
    const signal = AbortSignal.timeout(timeLimit);
    for (const line of lines) {
      for (;;) {
        const found = line.exec(this.#output.slice(this.#seen));
        if (found !== null) {
          this.#seen += found.index + found[0].length;
          break;
        }
        await once(this.#changes, 'change', { signal }).catch((cause: unknown) => {
          throw new Error(`${String(line)} did not come. There was:\n${this.#output}`, { cause });
        });
      }
    }
  }

  readonly #hear = (text: string): void => {
    this.#output += text;
    this.#changes.emit('change');
  };
}
