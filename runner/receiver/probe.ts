import type { Explanation } from '../errors.ts';
import { type CommandResult, endOfOutput, runCommand } from '../process/shellCommand.ts';

/** Says how often notifications took effect in the target. */
export interface Probe {
  /** True where it asks for each id by itself, rather than once for all of them. */
  readonly asksEach: boolean;
  /** What it answered where a count was due, as long as it has not counted any id: then it may never count one. */
  readonly silence: string | undefined;
  /**
   * The number of effects of each id, in one go.
   *
   * @returns a count for every id asked for
   * @throws ProbeError
   */
  count(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Milliseconds for one call, which may settle thousands of ids. */
const timeout = 60_000;

/** Bytes of output: about a million lines. */
const outputLimit = 64 * 1024 * 1024;

const valid = 'A probe command prints one line "<id> <count>" for each id that it gets on standard input';

/** A probe that runs a shell command, once for all ids. An id that it does not print has no effects. */
export function commandProbe(command: string): Probe {
  const running = new AbortController();
  let silence: string | undefined;
  let counted = false;
  return {
    asksEach: false,
    get silence() {
      return counted ? undefined : silence;
    },
    async count(ids) {
      const [first] = ids;
      if (first === undefined) return new Map();
      const input = `${ids.join('\n')}\n`;
      const result = await runCommand(command, { input, timeout, outputLimit, signal: running.signal });
      const trial = `Try it: echo ${first} | ${command}`;
      refuseFailure(trial, result);
      const printed = countsIn(trial, result.stdout);
      counted ||= ids.some((id) => printed.has(id));
      silence = `The probe command was given the id ${first}, and printed ${shownOutput(result.stdout)}`;
      return new Map(ids.map((id) => [id, printed.get(id) ?? 0]));
    },
    async close() {
      running.abort();
    },
  };
}

function refuseFailure(trial: string, { code, signal, stderr, timedOut, truncated }: CommandResult): void {
  if (code === 0 && !timedOut && !truncated) return;
  const end = timedOut ? `ran for more than ${timeout / 1000} s` : `ended with ${signal ?? `exit code ${code}`}`;
  const said = stderr.trim() === '' ? 'said nothing' : `said: ${endOfOutput(stderr, 500)}`;
  throw new ProbeError(
    truncated ? `The probe command printed more than ${outputLimit} bytes` : `The probe command ${end} and ${said}`,
    `${valid}, and exits with 0`,
    trial,
  );
}

function shownOutput(output: string): string {
  return output.trim() === '' ? 'nothing' : JSON.stringify(output.slice(0, 200));
}

function countsIn(trial: string, output: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of output.split('\n').map((text) => text.trim())) {
    if (line === '') continue;
    const [, id = '', count = ''] = /^(\S+)\s+(\d{1,15})$/.exec(line) ?? [];
    if (id === '') throw badLine(trial, line, 'cannot be read');
    if (counts.has(id)) throw badLine(trial, line, 'counts an id for the second time');
    counts.set(id, Number(count));
  }
  return counts;
}

function badLine(trial: string, line: string, why: string): ProbeError {
  return new ProbeError(
    `The probe command printed the line ${JSON.stringify(line.slice(0, 200))}, which ${why}`,
    valid,
    trial,
  );
}

/** The probe did not say what it should: a fault of the probe or of its use, and nothing about the target. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';
  readonly explanation: Required<Explanation>;

  /**
   * @param received - what the probe did
   * @param valid - what it should do
   * @param next - what the user can do now
   */
  constructor(received: string, valid: string, next: string, options?: ErrorOptions) {
    super(`${received}. ${valid}. ${next}.`, options);
    this.explanation = { received, valid, next };
  }
}
