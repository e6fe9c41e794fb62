import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { isAccepting, notification, Target, type Seen } from './target.ts';
import { program } from '../programs.ts';

const main = program('receiver');
const secret = 'whsec-living';
/** Deliveries of a stream that are under way at the same time. */
const lanes = 8;

/** A notification that was sent, and what came back. */
export interface Sent {
  readonly id: string;
  readonly seen: Seen;
}

/** The reference receiver as a process that is ended and started again over one database. */
export class RestartableTarget {
  readonly #options: readonly string[];
  #child: ChildProcess | undefined;
  #target: Target | undefined;

  /** @param fault - the mistake that it is started with; none for the conforming receiver */
  constructor(database: string, fault?: string) {
    this.#options = [main, '--port', '0', '--secret', secret, '--database', database];
    if (fault !== undefined) this.#options = [...this.#options, '--fault', fault];
  }

  get target(): Target {
    return this.#target!;
  }

  /** @returns whether it came up */
  async start(): Promise<boolean> {
    const child = spawn(process.execPath, this.#options, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child = child;
    const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const first = await Promise.race([line, once(child, 'exit').then(() => undefined)]);
    if (first === undefined) return false;
    this.#target = new Target(JSON.parse(first[0]) as { url: string; probe: string }, [secret]);
    return true;
  }

  /** Sends a signal; after one that ends it, resolves when it has ended. */
  async signal(name: NodeJS.Signals): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(name);
    if (name === 'SIGKILL' || name === 'SIGTERM') await ended;
  }

  /** A stream of notifications, several at a time, until after so many answers the signal has hit what is in flight. */
  async stream(signal: NodeJS.Signals, { after = 24, timeout = 5000 } = {}): Promise<readonly Sent[]> {
    const sent: Sent[] = [];
    let hit: Promise<void> | undefined;
    const lane = async () => {
      while (hit === undefined) {
        const id = randomUUID();
        sent.push({ id, seen: await this.target.send({ body: notification(id), timeout }) });
        if (sent.length >= after) hit ??= this.signal(signal);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    await hit;
    return sent;
  }

  /** Delivers again what was not accepted, all at the same time. */
  again(sent: readonly Sent[], timeout = 5000): Promise<readonly Sent[]> {
    const open = sent.filter(({ seen }) => !isAccepting(seen));
    return Promise.all(
      open.map(async ({ id }) => ({ id, seen: await this.target.send({ body: notification(id), timeout }) })),
    );
  }

  /** The numbers of effects of all of these that were accepted, once all that was accepted has taken effect. */
  async effects(sent: readonly Sent[]): Promise<readonly number[]> {
    await this.target.settledEffects(randomUUID());
    const accepted = sent.filter(({ seen }) => isAccepting(seen));
    return Promise.all(accepted.map(({ id }) => this.target.effects(id)));
  }
}
