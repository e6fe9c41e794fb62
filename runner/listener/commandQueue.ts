import { runCommand } from '../process/shellCommand.ts';
import type { CaughtRecord, Executed } from './deliveryStore.ts';
import { messageOf } from '../../spec/messageOf.ts';

interface CommandQueueOptions {
  readonly command: string;
  readonly cwd: string;
  /** Called when the command has ended for a delivery. */
  readonly onEnd: (record: CaughtRecord, executed: Executed) => void;
}

/** Milliseconds that the command may take for one delivery. */
const timeout = 60_000;

/** Deliveries that wait for the command at most: it has to keep up with what comes. */
const longest = 10_000;

/** Characters of what it writes that are shown, and of a value in its environment. */
const shownCharacters = 2000;

/** Runs a shell command for each delivery, one after the other: the body is its standard input. */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  readonly #waiting: CaughtRecord[] = [];
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  /** Deliveries for which it was not run, because too many waited. */
  skipped = 0;

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  add(record: CaughtRecord): void {
    if (this.#waiting.length >= longest) {
      this.skipped += 1;
      return;
    }
    this.#waiting.push(record);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Ends what is running, and runs nothing more. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#waiting.length = 0;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const executed = await this.#execute(next);
      if (!this.#ending.signal.aborted) this.#options.onEnd(next, executed);
    }
  }

  async #execute(record: CaughtRecord): Promise<Executed> {
    const { command, cwd } = this.#options;
    const input = record.caught.body;
    try {
      const ended = await runCommand(command, {
        input,
        cwd,
        env: environmentOf(record),
        timeout,
        signal: this.#ending.signal,
      });
      return { code: ended.code, output: `${ended.stdout}${ended.stderr}`.slice(-shownCharacters) };
    } catch (error) {
      return { code: null, output: messageOf(error) };
    }
  }
}

/** What the command gets of a delivery beside its body. */
function environmentOf({ number, event, caught, judgement }: CaughtRecord): Readonly<Record<string, string>> {
  const broken = judgement.findings.filter(({ level }) => level === 'broken');
  const values = {
    SEAWORTHY_NUMBER: String(number),
    SEAWORTHY_ID: caught.key,
    SEAWORTHY_EVENT: event,
    SEAWORTHY_ATTEMPT: String(caught.number),
    SEAWORTHY_METHOD: caught.method,
    SEAWORTHY_PATH: caught.path,
    SEAWORTHY_HEADERS: JSON.stringify(caught.headers),
    SEAWORTHY_PROBLEMS: broken.map(({ actual }) => actual).join('\n'),
  };
  const shown = (value: string): string => value.replaceAll('\0', '').slice(0, shownCharacters);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)]));
}
