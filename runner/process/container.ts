import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { extname } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { getContainerRuntimeClient, ImageName } from 'testcontainers';

import type { Variables } from '../../suites/processControl.ts';
import { TargetError, UsageError } from '../errors.ts';
import type { Access } from '../http/access.ts';
import { portOf } from '../http/dial.ts';
import { Guard, processLabel } from './guard.ts';
import type { KeptOutput } from './programOutput.ts';
import { settlesWithin } from './stopGrace.ts';
import { answers } from './presence.ts';
import { type ContainerSpec, type Death, type Kind, NotLaunched, type Start } from './targetProcess.ts';
import { messageOf } from '../../spec/messageOf.ts';

/** Where a container finds the machine that it runs on, so that it can call what the kit plays there. */
const wayBack = 'host.docker.internal:host-gateway';

/**
 * A target in a container. It is made once and started again after each end, so that its files outlive a kill as those of a
 * process do; a start with other variables is one of a container of its own. Its port is published on the loopback address only, always on the port of the URL.
 *
 * Nothing of it outlives this process: a guard removes it where this process was killed. Ryuk, which Testcontainers would
 * start for that, is an image of its own, which has to be pulled first; so it is not used.
 */
class ContainerTarget implements Kind {
  readonly name: string;
  readonly valid: string;
  readonly #engine: Engine;
  readonly #spec: ContainerSpec;
  readonly #url: URL;
  readonly #output: KeptOutput;
  readonly #mark = randomUUID();
  #guard: Guard | undefined;
  #container: Container | undefined;
  /** Those that were started with other variables. */
  readonly #others: Container[] = [];

  constructor(engine: Engine, spec: ContainerSpec, url: URL, output: KeptOutput) {
    this.name = `--image ${spec.image}`;
    this.valid = `an image whose program listens on port ${spec.port}, on all interfaces of its container`;
    this.#engine = engine;
    this.#spec = spec;
    this.#url = url;
    this.#output = output;
  }

  async launch(variables?: Variables): Promise<Start> {
    try {
      this.#guard ??= containerGuard(this.#mark);
      if (variables !== undefined) return await this.#launchOther(variables);
      this.#container ??= await this.#create();
      return await ContainerStart.begin(this.#engine, this.#container, this.#output);
    } catch (cause) {
      throw new NotLaunched(messageOf(cause), { cause });
    }
  }

  isUp(url: URL, access?: Access): Promise<boolean> {
    return answers(url, access);
  }

  async discard(): Promise<void> {
    const all = [...(this.#container ? [this.#container] : []), ...this.#others];
    for (const container of all) await this.#remove(container);
    await this.#guard?.dismiss();
  }

  async #remove(container: Container): Promise<void> {
    try {
      await container.remove({ force: true, v: true });
    } catch (cause) {
      if (!isGone(cause)) throw this.#notRemoved(container, cause);
    }
  }

  async #launchOther(variables: Variables): Promise<Start> {
    const container = await this.#create({ ...this.#spec.env, ...variables });
    this.#others.push(container);
    return ContainerStart.begin(this.#engine, container, this.#output);
  }

  #create(env: Variables = this.#spec.env): Promise<Container> {
    const { image, port } = this.#spec;
    const inside = `${port}/tcp`;
    return this.#engine.container.create({
      Image: image,
      // A name alone takes away what the image says of it.
      Env: Object.entries(env).map(([name, value]) => (value === undefined ? name : `${name}=${value}`)),
      Labels: { [processLabel]: this.#mark },
      ExposedPorts: { [inside]: {} },
      HostConfig: {
        PortBindings: { [inside]: [{ HostIp: '127.0.0.1', HostPort: String(portOf(this.#url)) }] },
        ExtraHosts: [wayBack],
      },
    });
  }

  #notRemoved({ id }: Container, cause: unknown): TargetError {
    const received = `${this.name}: its container ${id} could not be removed: ${String(cause)}`;
    const next = 'remove it by hand: docker rm --force --volumes, and the id';
    return new TargetError('SW_LIFE_FAILED', { received, next }, { cause });
  }
}

/** Somebody else has removed it, or is about to. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && (error.statusCode === 404 || error.statusCode === 409);
}

/**
 * @param url - where the kit reaches the target: the port of this address leads into the container
 * @throws UsageError where there is no container engine, or no such image
 */
export async function openContainer(spec: ContainerSpec, url: URL, output: KeptOutput): Promise<Kind> {
  return new ContainerTarget(await openEngine(spec.image), spec, url, output);
}

/** Watches over the containers that carry a mark. */
function containerGuard(mark: string): Guard {
  const program = new URL(`./removeContainers${extname(import.meta.url)}`, import.meta.url);
  return new Guard(process.execPath, [fileURLToPath(program), mark]);
}

/** Milliseconds that output may stay open after the container has ended. */
const outputGrace = 1_000;

/** One run of a container, from its start to its end. */
class ContainerStart implements Start {
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

/** A container engine, as Testcontainers finds it: Docker, or one that speaks its language. */
type Engine = Awaited<ReturnType<typeof getContainerRuntimeClient>>;

/** A container of it. */
type Container = ReturnType<Engine['container']['getById']>;

/**
 * The container engine of this machine, and an image that is there. One that is not is pulled.
 *
 * @throws UsageError where there is no engine, or no such image
 */
async function openEngine(image: string): Promise<Engine> {
  const engine = await findEngine(image);
  const name = ImageName.fromString(image);
  if (await isThere(engine, name)) return engine;
  const failure = await engine.image.pull(name).catch((error: unknown) => error);
  if (failure === undefined && (await isThere(engine, name))) return engine;
  const why = failure instanceof Error ? `: ${failure.message.trim()}` : '';
  throw new UsageError(
    'SW_IMAGE_MISSING',
    {
      received: `--image ${image}: it is not on this machine, and could not be pulled${why}`,
      valid: 'an image that docker images shows, or one that docker pull gets',
      next: 'build or pull it first, and see that its name and tag are right',
    },
    { cause: failure },
  );
}

async function findEngine(image: string): Promise<Engine> {
  const wanted = process.env['DOCKER_HOST'] ?? '';
  try {
    const engine = await getContainerRuntimeClient();
    if (wanted !== '' && !isAt(engine, wanted)) throw new Error('another engine than that of DOCKER_HOST was found');
    return engine;
  } catch (cause) {
    const where = wanted === '' ? 'from here' : `at DOCKER_HOST=${wanted}`;
    throw new UsageError(
      'SW_ENGINE_MISSING',
      {
        received: `--image ${image} needs a container engine, and none can be reached ${where}`,
        valid:
          'Docker, or another engine with its interface (Podman, Colima), that is running and that this user may use',
        next: 'install and start one, set DOCKER_HOST where it listens elsewhere, or start the target with --start instead',
      },
      { cause },
    );
  }
}

/** Testcontainers goes on to look elsewhere where the engine that the user named does not answer. */
function isAt(engine: Engine, address: string): boolean {
  const { socketPath, host } = engine.container.dockerode.modem as { socketPath?: string; host?: string };
  const { protocol, pathname, hostname } = new URL(address);
  return protocol === 'unix:' ? socketPath === pathname : host === hostname;
}

async function isThere(engine: Engine, name: ImageName): Promise<boolean> {
  // An engine that says in other words that it has no such image throws instead.
  return engine.image.exists(name).catch(() => false);
}
