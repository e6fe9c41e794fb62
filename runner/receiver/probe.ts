import { type CommandResult, endOfOutput, runCommand } from '../process/shellCommand.ts';

/** Tells how often notifications took effect in the target. */
export interface Probe {
  /** What the user should know about the answers, each once: for example that 404 was read as a count of 0. */
  readonly notes: readonly string[];
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
  return {
    notes: [],
    async count(ids) {
      if (ids.length === 0) return new Map();
      const input = `${ids.join('\n')}\n`;
      const result = await runCommand(command, { input, timeout, outputLimit, signal: running.signal });
      refuseFailure(command, result);
      return countsIn(command, result.stdout, ids);
    },
    async close() {
      running.abort();
    },
  };
}

function refuseFailure(command: string, { code, signal, stderr, timedOut, truncated }: CommandResult): void {
  if (code === 0 && !timedOut && !truncated) return;
  const end = timedOut ? `ran for more than ${timeout / 1000} s` : `ended with ${signal ?? `exit code ${code}`}`;
  const said = stderr.trim() === '' ? 'said nothing' : `said: ${endOfOutput(stderr, 500)}`;
  throw new ProbeError(
    truncated ? `The probe command printed more than ${outputLimit} bytes` : `The probe command ${end} and ${said}`,
    `${valid}, and exits with 0`,
    `Try it: echo some-id | ${command}`,
  );
}

function countsIn(command: string, output: string, ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map(ids.map((id) => [id, 0]));
  const seen = new Set<string>();
  for (const line of output.split('\n').map((text) => text.trim())) {
    if (line === '') continue;
    const [, id = '', count = ''] = /^(\S+)\s+(\d{1,15})$/.exec(line) ?? [];
    if (id === '') throw badLine(command, line, 'cannot be read');
    if (seen.has(id)) throw badLine(command, line, 'counts an id for the second time');
    seen.add(id);
    if (counts.has(id)) counts.set(id, Number(count));
  }
  return counts;
}

function badLine(command: string, line: string, why: string): ProbeError {
  return new ProbeError(
    `The probe command printed the line ${JSON.stringify(line.slice(0, 200))}, which ${why}`,
    valid,
    `Try it: echo some-id | ${command}`,
  );
}

/** The probe did not tell what it should: a fault of the probe or of its use, and nothing about the target. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  /**
   * @param received - what the probe did
   * @param valid - what it should do
   * @param next - what the user can do now
   */
  constructor(received: string, valid: string, next: string, options?: ErrorOptions) {
    super(`${received}. ${valid}. ${next}.`, options);
  }
}
