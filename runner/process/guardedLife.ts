import { TargetError } from '../errors.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import { Guardian } from './guardian.ts';
import type { LifeSpec } from './life.ts';
import { openLivingTarget, type LivingTarget, type LivingTargetOptions } from './livingTarget.ts';

/** A target whose life is in the kit's hands, and who keeps it up. */
export interface GuardedLife {
  readonly target: LivingTarget;
  readonly guardian: Guardian;
}

/** What a guarded life has to know of the run. */
interface GuardedOptions extends Pick<
  LivingTargetOptions,
  'url' | 'access' | 'directory' | 'secrets' | 'elapsed' | 'emit'
> {
  /** `receiver` or `service`, for messages. */
  readonly kind: string;
  /** Aborted when the run ends. */
  readonly ended: AbortSignal;
  readonly end: (end: RunEnd) => void;
  /** Told, after the guardian, when the target has ended although nobody asked for it. */
  readonly onDied?: () => void;
}

/**
 * Opens the life of a target, and sets a guardian over it. Nothing is started yet.
 *
 * @throws UsageError where the target cannot be started in this way at all
 */
export async function openGuardedLife(spec: LifeSpec, options: GuardedOptions): Promise<GuardedLife> {
  const { ended, kind, onDied, url, access, directory, secrets } = options;
  const keeper: { guardian?: Guardian } = {};
  const target = await openLivingTarget(spec, {
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
export async function startedLife(
  life: GuardedLife | undefined,
  run: Pick<GuardedOptions, 'ended' | 'end'>,
): Promise<boolean> {
  try {
    await life?.target.start();
    return true;
  } catch (error) {
    if (!(error instanceof TargetError) || run.ended.aborted) throw error;
    run.end(lifeFailed(error));
    return false;
  }
}

/** The end of a run whose target's life cannot be held. */
export function lifeFailed({ explanation: { received: reason, next }, code }: TargetError): RunEnd {
  return { reason, advice: `${next.charAt(0).toUpperCase()}${next.slice(1)} (${code}).` };
}
