import { once } from 'node:events';
import { PassThrough } from 'node:stream';

import { TargetError } from '../errors.ts';
import type { Container, Engine } from './engine.ts';
import type { KeptOutput } from './keptOutput.ts';
import type { Start, Death } from './targetProcess.ts';
import { settlesWithin } from './settlesWithin.ts';

/** Milliseconds that output may stay open after the container has ended. */
const outputGrace = 1_000;

/** One run of a container, from its start to its end. */
export class ContainerStart implements Start {
  readonly ended: Promise<Death>;
  readonly #container: Container;
  #paused = false;
  #orders: Promise<void> = Promise.resolve();

  private constructor(container: Container, silent: Promise<unknown>) {
    this.#container = container;
    this.ended = untilEnded(container).then(async (death) => {
      await settlesWithin(silent, outputGrace);
      return death;
    });
  }

  /** @throws what the engine says, where it cannot be started */
  static async begin(engine: Engine, container: Container, output: KeptOutput): Promise<ContainerStart> {
    // Before the start, so that nothing is missed.
    const { silent } = await listenTo(engine, container, output);
    await container.start();
    return new ContainerStart(container, silent);
  }

  async kill(): Promise<void> {
    await this.#order(() => this.#container.kill({ signal: 'SIGKILL' }), 'killed');
    await this.ended;
  }

  /** To its first process only, as the engine does when a container is stopped. */
  async terminate(): Promise<void> {
    // An engine refuses to send signals to a container that is paused.
    if (this.#paused) await this.resume();
    await this.#order(() => this.#container.kill({ signal: 'SIGTERM' }), 'stopped');
  }

  async pause(): Promise<void> {
    await this.#order(() => this.#container.pause(), 'paused');
    this.#paused = true;
  }

  async resume(): Promise<void> {
    await this.#order(() => this.#container.unpause(), 'resumed');
    this.#paused = false;
  }

  /** One order after the other: a pause that is still under way must not come after the resume that follows it. */
  #order(order: () => Promise<unknown>, what: string): Promise<void> {
    const given = this.#orders.then(() => this.#give(order, what));
    this.#orders = given.catch(() => {});
    return given;
  }

  /** What the engine cannot do because the container has ended meanwhile, or because it is so already, is no failure. */
  async #give(order: () => Promise<unknown>, what: string): Promise<void> {
    try {
      await order();
    } catch (cause) {
      const { Running: running, Paused: paused } = await stateOf(this.#container);
      if (!running || (what === 'resumed' && !paused) || (what === 'paused' && paused)) return;
      const received = `container ${this.#container.id} could not be ${what}: ${(cause as Error).message}`;
      const next = 'see what the container engine says of it: docker inspect, and the id';
      throw new TargetError('SW_LIFE_FAILED', { received, next }, { cause });
    }
  }
}

/** Takes its output from now on. `silent` resolves when that has ended. */
async function listenTo(
  engine: Engine,
  container: Container,
  output: KeptOutput,
): Promise<{ silent: Promise<unknown> }> {
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  output.keep(stdout);
  output.keep(stderr);
  engine.container.dockerode.modem.demuxStream(stream, stdout, stderr);
  stream.on('error', () => {});
  return { silent: once(stream, 'end').catch(() => {}) };
}

async function untilEnded(container: Container): Promise<Death> {
  try {
    const { StatusCode: code } = (await container.wait()) as { readonly StatusCode: number };
    return { code, signal: null };
  } catch {
    // The engine went away, or somebody removed the container.
    return { code: null, signal: null };
  }
}

async function stateOf(container: Container): Promise<{ readonly Running: boolean; readonly Paused: boolean }> {
  try {
    return (await container.inspect()).State;
  } catch {
    return { Running: false, Paused: false };
  }
}
