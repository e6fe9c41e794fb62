import type { Access } from '../http/access.ts';
import { httpProbe } from './httpProbe.ts';
import { type Probe, commandProbe } from './probe.ts';

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
