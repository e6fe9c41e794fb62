import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Variables } from '../../suites/processControl.ts';
import type { Access } from '../http/access.ts';
import { portOf } from '../http/dial.ts';
import { TargetError } from '../errors.ts';
import { answers } from './takesConnections.ts';
import { ContainerStart } from './containerStart.ts';
import { openEngine, type Container, type Engine } from './engine.ts';
import { Guard, processLabel } from './guard.ts';
import type { KeptOutput } from './keptOutput.ts';
import { NotLaunched, type Kind, type Start, type ContainerSpec } from './targetProcess.ts';

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
      throw new NotLaunched(cause instanceof Error ? cause.message : String(cause), { cause });
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
