import type { Access } from './access.ts';
import { commandProbe } from './commandProbe.ts';
import { httpProbe } from './httpProbe.ts';

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

/**
 * The probe that `--probe` names: a URL with `{id}`, which answers GET with `{"count": n}` (404 counts as 0), or a
 * shell command, which gets ids on standard input, one a line, and prints `<id> <count>` lines.
 *
 * @param access - for a URL
 * @throws ProbeError for a URL without `{id}`
 */
export function createProbe(spec: string, access: Access = {}): Probe {
  return /^https?:\/\//i.test(spec) ? httpProbe(spec, access) : commandProbe(spec);
}
