import type { Probe } from './probe.ts';
import { ProbeError } from './probeError.ts';
import { type CommandResult, endOfOutput, runCommand } from './shellCommand.ts';

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
