import { TargetError } from '../errors.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import { Guardian } from './guardian.ts';
import type { ProcessSpec } from './targetProcess.ts';
import { openSupervisedTarget, type SupervisedTarget, type SupervisedTargetOptions } from './supervisedTarget.ts';

/** A target under process control, and the guardian that keeps it up. */
export interface GuardedProcess {
  readonly target: SupervisedTarget;
  readonly guardian: Guardian;
}

/** What a guarded process has to know of the run. */
interface GuardedOptions extends Pick<
  SupervisedTargetOptions,
  'url' | 'access' | 'directory' | 'secrets' | 'elapsed' | 'emit'
> {
  /** `receiver` or `service`, for messages. */
  readonly kind: string;
  /** Aborted when the run ends. */
  readonly ended: AbortSignal;
  readonly end: (end: RunEnd) => void;
  /** Called, after the guardian, when the target has ended although nobody asked for it. */
  readonly onDied?: () => void;
}

/**
 * Opens the process of a target, and sets a guardian over it. Nothing is started yet.
 *
 * @throws UsageError where the target cannot be started in this way at all
 */
export async function openGuardedProcess(spec: ProcessSpec, options: GuardedOptions): Promise<GuardedProcess> {
  const { ended, kind, onDied, url, access, directory, secrets } = options;
  const keeper: { guardian?: Guardian } = {};
  const target = await openSupervisedTarget(spec, {
    url,
    ...(access && { access }),
    directory,
    secrets,
    signal: ended,
    elapsed: () => options.elapsed(),
    emit: (event) => options.emit(event),
    onDied: () => {
      keeper.guardian?.died();
      onDied?.();
    },
    suspect: () => keeper.guardian?.suspect,
  });
  const guardian = new Guardian({ target, kind, ended, end: (end) => options.end(end) });
  keeper.guardian = guardian;
  return { target, guardian };
}

/** Whether the target runs. One that the kit cannot start ends the run, as one that cannot be reached does. */
export async function startedProcess(
  targetProcess: GuardedProcess | undefined,
  run: Pick<GuardedOptions, 'ended' | 'end'>,
): Promise<boolean> {
  try {
    await targetProcess?.target.start();
    return true;
  } catch (error) {
    if (!(error instanceof TargetError) || run.ended.aborted) throw error;
    run.end(processFailed(error));
    return false;
  }
}

/** The end of a run whose target's process cannot be held. */
export function processFailed({ explanation: { received: reason, next }, code }: TargetError): RunEnd {
  return { reason, advice: `${next.charAt(0).toUpperCase()}${next.slice(1)} (${code}).` };
}
