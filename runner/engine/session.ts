import type { Secrets } from '../secrets/secrets.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import type { ReportedExchange } from '../../reports/model/exchange.ts';
import { UsageError } from '../errors.ts';
import { type GuardedProcess, startedProcess } from '../process/guardedProcess.ts';
import { resetTarget } from '../process/resetTarget.ts';
import { described } from './described.ts';
import type { RunContext } from './runContext.ts';
import { RunEnded } from './runEnded.ts';
import type { RunEnd, UntimedEvent } from './runEvents.ts';

/** What is done with a target while the kit is connected to it. */
export interface SessionParts<S> {
  /** Milliseconds since the session began. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Called before anything is started or sent, once the target was reset. */
  begin?(): void;
  /** Called once the target runs and the positive control was passed. */
  work(side: S): Promise<void>;
  /** Called once everything is closed. */
  end?(context: RunContext): void;
}

/** What a session opened: everything but the target runs. */
export interface Opened<S> {
  readonly context: RunContext;
  /** The positive control, and the first exchange of it. */
  control(): Promise<PositiveControl<S>>;
  /** Puts away what was made at the target. Called also where the work failed; default: nothing was made. */
  leave?(): Promise<void>;
  /** Closes what was opened, apart from the target. Never rejects. */
  close(): Promise<void>;
}

/** How a positive control ended. */
export type PositiveControl<S> = { readonly attempt: ReportedExchange } & (
  | { readonly side: S }
  | { readonly trouble: RunEnd }
);

/** What is known of a run before anything is open. */
interface SessionPlan {
  readonly reset?: string;
  readonly signal: AbortSignal;
}

/**
 * Opens what the kit needs, starts the target where that is the kit's task, passes the positive control, does the work,
 * and closes everything again, whatever happens. Why the work was not done is told by events.
 *
 * @param open - opens everything, or throws and leaves nothing open
 * @throws UsageError where the target cannot be started, or the kit cannot listen, as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inSession<S>(
  plan: SessionPlan,
  secrets: Secrets,
  open: (given: Pick<RunContext, 'secrets' | 'elapsed' | 'emit'>) => Promise<Opened<S>>,
  parts: SessionParts<S>,
): Promise<void> {
  const emit = (event: UntimedEvent): void => parts.emit(hiddenEvent(event, secrets));
  const opened = await open({ secrets, elapsed: () => parts.elapsed(), emit });
  const { context } = opened;
  let begun = false;
  try {
    await resetTarget(plan, context.targetProcess);
    parts.begin?.();
    begun = true;
    await attempted(opened, parts);
  } finally {
    await context.guardian.settled();
    await opened.close();
    if (context.targetProcess) await endOf(context.targetProcess, emit);
    if (begun) parts.end?.(context);
  }
}

async function attempted<S>(opened: Opened<S>, parts: SessionParts<S>): Promise<void> {
  const { context } = opened;
  try {
    if (await startedProcess(context.targetProcess, context)) await controlled(opened, parts);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (context.ended.aborted || error instanceof RunEnded) return;
    context.emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  }
}

async function controlled<S>(opened: Opened<S>, parts: SessionParts<S>): Promise<void> {
  const { context } = opened;
  try {
    const control = await opened.control();
    const accepted = 'side' in control;
    context.emit({ type: 'control.finished', accepted, attempt: control.attempt });
    if (accepted) await parts.work(control.side);
    else context.end(control.trouble);
  } finally {
    await opened.leave?.();
  }
}

/** Ends a target that the kit started, and tells what it has said. */
async function endOf({ target }: GuardedProcess, emit: (event: UntimedEvent) => void): Promise<void> {
  await target.close().catch((error: unknown) => emit({ type: 'kit.errored', where: 'engine', ...described(error) }));
  target.say();
}
