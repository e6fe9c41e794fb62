import { HeldLife } from './heldLife.ts';
import { KeptOutput } from './keptOutput.ts';
import type { Kind } from './kind.ts';
import type { Life, LifeOptions, LifeSpec } from './life.ts';

/**
 * Takes the life of a target into the kit's hands. Nothing is started yet: {@link Life.start} does. What a kind of target
 * needs is loaded here, and for that kind only.
 *
 * The first start throws TargetError where the target does not come up, later ones throw NotStarted; each throws UsageError
 * where something else listens at the URL, and the reason of `options.signal` where that is aborted.
 *
 * @throws UsageError where there is no container engine, or no such image
 * @example
 * const life = await openLife({ kind: 'command', command: 'node server.js', env: {} }, { url, outputFile });
 * try {
 *   await life.start();
 *   await life.kill();
 *   await life.start();
 * } finally {
 *   await life.close();
 * }
 */
export async function openLife(spec: LifeSpec, options: LifeOptions): Promise<Life> {
  const output = new KeptOutput(options.outputFile, options.secrets);
  return new HeldLife(await openKind(spec, options.url, output), output, options);
}

async function openKind(spec: LifeSpec, url: URL, output: KeptOutput): Promise<Kind> {
  switch (spec.kind) {
    case 'command': {
      const { Command } = await import('./command.ts');
      return new Command(spec, output);
    }
    case 'container': {
      const { openContainer } = await import('./container.ts');
      return openContainer(spec, url, output);
    }
  }
}
