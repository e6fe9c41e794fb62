import type { Contract } from '../../spec/contract.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Answer, Delivery, Header } from '../../suites/delivery.ts';
import type { Caught, CatchStep } from '../../suites/exchange.ts';
import { checkStep } from '../catcher/endpoint.ts';
import type { Access } from '../http/access.ts';
import { createDeliverer, type Deliverer } from '../http/deliverer.ts';
import { runCommand } from '../process/shellCommand.ts';
import type { CaughtRecord, Executed } from './deliveryStore.ts';
import { messageOf } from '../../spec/messageOf.ts';

/** Deliveries that are forwarded at the same time. */
const concurrency = 64;

/** Of one connection alone (RFC 9110, section 7.6.1), or made anew by each sender. */
const notPassedOn =
  /^(host|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect|transfer-encoding|content-length)$/i;

interface ForwarderOptions extends Access {
  readonly url: URL;
  /** Milliseconds that an answer may take. */
  readonly timeout: number;
  /** Added to each delivery, such as the authorization of the address. */
  readonly headers: readonly Header[];
}

/** Passes deliveries on to a receiver, byte for byte. */
export class Forwarder {
  readonly url: URL;
  readonly #deliverer: Deliverer;
  readonly #contract: Contract;

  constructor(contract: Contract, { url, timeout, headers, ...access }: ForwarderOptions) {
    this.url = url;
    this.#contract = contract;
    this.#deliverer = createDeliverer({ url, timeout, concurrency, headers, ...access });
  }

  /** @param signal - ends it where the sender has gone */
  forward(caught: Caught, signal?: AbortSignal): Promise<Answer> {
    return this.#deliverer.deliver(deliveryOf(caught), signal);
  }

  /** The receiver's answer as the listener gives it; where there is none, as a gateway says so (RFC 9110, section 15.6). */
  stepOf(answer: Answer): CatchStep {
    if (answer.kind !== 'answered') {
      const status = answer.kind === 'timed-out' ? 504 : 502;
      return { do: 'respond', status, headers: plainText, body: `${this.url.host}: ${describeAnswer(answer)}\n` };
    }
    const { status, body } = answer;
    const headers = answer.headers.filter(([name]) => !notPassedOn.test(name) && !/^content-encoding$/i.test(name));
    const step: CatchStep = { do: 'respond', status, headers, body };
    return isPlayable(step) ? step : { do: 'respond', status: this.#contract.delivery.acceptedStatuses[0] };
  }

  close(): Promise<void> {
    return this.#deliverer.close();
  }
}

const plainText: readonly Header[] = [['Content-Type', 'text/plain; charset=utf-8']];

/** What is sent again of a delivery: all but what belongs to the connection that it came over. */
export function deliveryOf({ key, method, headers, body }: Caught): Delivery {
  return { id: key, event: '', method, headers: headers.filter(([name]) => !notPassedOn.test(name)), body };
}

function isPlayable(step: CatchStep): boolean {
  try {
    checkStep(step);
    return true;
  } catch {
    return false;
  }
}

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
