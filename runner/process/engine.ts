import { getContainerRuntimeClient, ImageName } from 'testcontainers';

import { UsageError } from '../errors.ts';

/** A container engine, as Testcontainers finds it: Docker, or one that speaks its language. */
export type Engine = Awaited<ReturnType<typeof getContainerRuntimeClient>>;

/** A container of it. */
export type Container = ReturnType<Engine['container']['getById']>;

/**
 * The container engine of this machine, and an image that is there. One that is not is pulled.
 *
 * @throws UsageError where there is no engine, or no such image
 */
export async function openEngine(image: string): Promise<Engine> {
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
