import { Session, type Profiler } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** What the process did while it was observed. */
export interface Observed {
  /** When (by `performance.now`) it had nothing to do, and for how many milliseconds. */
  readonly idle: readonly { readonly at: number; readonly ms: number }[];
  /** Milliseconds of CPU by room of the house, or by package. */
  readonly busy: ReadonlyMap<string, number>;
}

/** Microseconds between two samples. */
const interval = 500;

/** A profile of this process, sample by sample. */
export class CpuProfile {
  readonly #session: Session;
  readonly #begun: number;

  private constructor(session: Session, begun: number) {
    this.#session = session;
    this.#begun = begun;
  }

  static async start(): Promise<CpuProfile> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval });
    await session.post('Profiler.start');
    return new CpuProfile(session, performance.now());
  }

  async stop(): Promise<Observed> {
    const { profile } = await this.#session.post('Profiler.stop');
    this.#session.disconnect();
    const { nodes, samples = [], timeDeltas = [] } = profile;
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const idle: { at: number; ms: number }[] = [];
    const busy = new Map<string, number>();
    let at = this.#begun;
    // A sample is followed by the time until the next one.
    for (const [place, id] of samples.entries()) {
      const ms = (timeDeltas[place + 1] ?? 0) / 1000;
      at += (timeDeltas[place] ?? 0) / 1000;
      const { callFrame } = byId.get(id)!;
      if (callFrame.functionName === '(idle)') idle.push({ at: at + ms / 2, ms });
      else busy.set(roomOf(callFrame), (busy.get(roomOf(callFrame)) ?? 0) + ms);
    }
    return { idle, busy };
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages that are named; what the others take is little. */
const named: readonly string[] = ['fast-check', 'undici', 'ajv'];

function roomOf({ url, functionName }: Profiler.ProfileNode['callFrame']): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  const [, installed] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (installed !== undefined) return named.includes(installed) ? installed : 'other packages';
  if (!url.startsWith('file:'))
    return url.startsWith('node:internal/modules') ? 'loading modules' : 'Node (sockets, crypto, timers)';
  const [room = '', inner = ''] = fileURLToPath(url).slice(root.length).split('/');
  return room === 'runner' ? `runner/${inner}` : room;
}
