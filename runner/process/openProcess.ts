import { ControlledProcess } from './controlledProcess.ts';
import { KeptOutput } from './programOutput.ts';
import type { Kind, TargetProcess, ProcessOptions, ProcessSpec } from './targetProcess.ts';

/**
 * Takes control of the process of a target. Nothing is started yet: {@link TargetProcess.start} does. What a kind of target
 * needs is loaded here, and for that kind only.
 *
 * The first start throws TargetError where the target does not come up, later ones throw NotStarted; each throws UsageError
 * where something else listens at the URL, and the reason of `options.signal` where that is aborted.
 *
 * @throws UsageError where there is no container engine, or no such image
 * @example
 * const targetProcess = await openProcess({ kind: 'command', command: 'node server.js', env: {} }, { url, outputFile });
 * try {
 *   await targetProcess.start();
 *   await targetProcess.kill();
 *   await targetProcess.start();
 * } finally {
 *   await targetProcess.close();
 * }
 */
export async function openProcess(spec: ProcessSpec, options: ProcessOptions): Promise<TargetProcess> {
  const output = new KeptOutput(options.outputFile, options.secrets);
  return new ControlledProcess(await openKind(spec, options.url, output), output, options);
}

async function openKind(spec: ProcessSpec, url: URL, output: KeptOutput): Promise<Kind> {
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
