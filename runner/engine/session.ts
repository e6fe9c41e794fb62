import { Unproven } from '../../suites/check.ts';
import { type Secrets, hiddenEvent } from '../secrets/secrets.ts';
import type { ReportedExchange } from '../../reports/model/exchange.ts';
import { UsageError, described, TargetError } from '../errors.ts';
import { type GuardedProcess, startedProcess } from '../process/guardedProcess.ts';
import { Deadline, outOfTime, outOfTimeAtFirst, partingTime, RunEnded } from './ending.ts';
import type { RunContext } from './runContext.ts';
import type { RunEnd, UntimedEvent } from './eventStream.ts';
import { type CommandResult, runCommand } from '../process/shellCommand.ts';

/** What is done with a target while the kit is connected to it. */
export interface SessionParts<S> {
  /** Milliseconds from the beginning of the session to its end. Default: it may take as long as it takes. */
  readonly timeLimit?: number | undefined;
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
  /** Breaks off what is under way. Called where the run ended early; nothing is sent after that but by `leave`. */
  halt?(): void;
  /** Puts away what was made at the target. Called also where the work failed; default: nothing was made. */
  leave?(): Promise<void>;
  /** Closes what was opened, apart from the target. Never rejects. */
  close(): Promise<void>;
}

/** How a positive control ended. */
export type PositiveControl<S> = { readonly attempt: ReportedExchange } &
  /** `instead`: where the target did not pass it, what the run goes on with all the same. */
  ({ readonly side: S; readonly instead?: string } | { readonly trouble: RunEnd });

/** What is known of a run before anything is open. */
interface SessionPlan {
  readonly reset?: string;
  readonly signal: AbortSignal;
}

/**
 * Opens what the kit needs, starts the target where that is the kit's task, passes the positive control, does the work,
 * and closes everything again, whatever happens. Why the work was not done is reported by events.
 *
 * @param open - opens everything, or throws and leaves nothing open
 * @throws UsageError where the target cannot be started, or the kit cannot listen, as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inSession<S>(
  plan: SessionPlan,
  secrets: Secrets,
  open: (given: Pick<RunContext, 'secrets' | 'elapsed' | 'emit' | 'deadline'>) => Promise<Opened<S>>,
  parts: SessionParts<S>,
): Promise<void> {
  let over = false;
  const emit = (event: UntimedEvent): void => (over ? undefined : parts.emit(hiddenEvent(event, secrets)));
  const opened = await open({ secrets, elapsed: () => parts.elapsed(), emit, deadline: deadlineOf(parts) });
  const { context } = opened;
  const { timeLimit } = parts;
  let controlled = false;
  const outcome = (limit: number): RunEnd => (controlled ? outOfTime(limit) : outOfTimeAtFirst(limit));
  const disarm = timeLimit === undefined ? () => {} : endInTime(opened, timeLimit, outcome);
  let begun = false;
  try {
    await resetTarget({ ...plan, signal: context.ended }, context.targetProcess);
    parts.begin?.();
    begun = true;
    await attempted(opened, {
      ...parts,
      work: (side) => {
        controlled = true;
        return parts.work(side);
      },
    });
  } finally {
    disarm();
    await context.guardian.settled();
    await opened.close();
    if (context.targetProcess) await endOf(context.targetProcess, emit);
    over = true;
    if (begun) parts.end?.(context);
  }
}

function deadlineOf({ timeLimit, elapsed }: Pick<SessionParts<never>, 'timeLimit' | 'elapsed'>): Deadline {
  return timeLimit === undefined ? new Deadline() : Deadline.in(timeLimit - partingTime(timeLimit) - elapsed());
}

/** Milliseconds that a timer takes at most. */
const longestTimer = 2 ** 31 - 1;

/** Ends the run once its time is over. @returns takes that back */
function endInTime(opened: Opened<unknown>, timeLimit: number, outcome: (timeLimit: number) => RunEnd): () => void {
  const { context } = opened;
  const { deadline, ended } = context;
  const timer = setTimeout(() => context.end(outcome(timeLimit)), Math.min(deadline.left, longestTimer));
  ended.addEventListener('abort', () => opened.halt?.(), { once: true });
  return () => clearTimeout(timer);
}

/** Waits for the work, though not for what still goes on a moment after the end of a run that has a time limit. */
async function inTime(work: Promise<void>, { ended }: RunContext, timeLimit: number | undefined): Promise<void> {
  if (timeLimit === undefined) return work;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const onEnd = (): void => void setTimeout(resolve, partingTime(timeLimit)).unref();
  if (ended.aborted) onEnd();
  else ended.addEventListener('abort', onEnd, { once: true });
  await Promise.race([work, late]);
}

async function attempted<S>(opened: Opened<S>, parts: SessionParts<S>): Promise<void> {
  const { context } = opened;
  try {
    if (await startedProcess(context.targetProcess, context)) await controlled(opened, parts);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (context.ended.aborted || error instanceof RunEnded) return;
    // Nothing could be asked of the target: what this machine lacks, say.
    if (error instanceof Unproven) return context.end({ reason: error.message });
    context.emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  }
}

async function controlled<S>(opened: Opened<S>, parts: SessionParts<S>): Promise<void> {
  try {
    await inTime(worked(opened, parts), opened.context, parts.timeLimit);
  } finally {
    await opened.leave?.();
  }
}

async function worked<S>(opened: Opened<S>, parts: SessionParts<S>): Promise<void> {
  const { context } = opened;
  const control = await opened.control();
  const { attempt } = control;
  const instead = 'side' in control ? control.instead : undefined;
  const accepted = 'side' in control && instead === undefined;
  context.emit({ type: 'control.finished', accepted, attempt, ...(instead !== undefined && { instead }) });
  if ('side' in control) await parts.work(control.side);
  else context.end(control.trouble);
}

/** Ends a target that the kit started, and tells what it has said. */
async function endOf({ target }: GuardedProcess, emit: (event: UntimedEvent) => void): Promise<void> {
  await target.close().catch((error: unknown) => emit({ type: 'kit.errored', where: 'engine', ...described(error) }));
  target.say();
}

/** Milliseconds that a reset may take. */
const resetTimeout = 5 * 60_000;

/** What a reset needs to know of a plan. */
interface Resettable {
  readonly reset?: string;
  readonly signal: AbortSignal;
}

/**
 * Runs the command that brings the target back to a clean state, and waits for it. It comes after everything that may
 * refuse the run, so that a command line with a mistake changes nothing: also not where something else listens at the
 * address of a target that the kit is to start, for the state may be in use there.
 *
 * @param targetProcess - the target, where the kit starts it; not started yet
 * @throws UsageError where something else listens there
 * @throws TargetError with the command's output where it fails
 */
async function resetTarget({ reset, signal }: Resettable, targetProcess: GuardedProcess | undefined): Promise<void> {
  if (reset === undefined) return;
  await targetProcess?.target.requireFree();
  await runReset(reset, signal);
}

async function runReset(command: string, signal: AbortSignal): Promise<void> {
  const result = await runCommand(command, { timeout: resetTimeout, signal });
  if (result.code === 0 || signal.aborted) return;
  const output = `${result.stdout}${result.stderr}`.trim();
  throw new TargetError('SW_RESET_FAILED', {
    received: `--reset ${command}: ${ending(result)}${output === '' ? ', and said nothing' : `:\n${indent(output)}`}`,
    valid: 'a command that leaves the target clean and exits with 0',
    next: 'run it by hand to see what is wrong; nothing was sent to the target',
  });
}

function ending({ code, signal, timedOut }: CommandResult): string {
  if (timedOut) return `it had not ended after ${resetTimeout / 60_000} minutes`;
  return code === null ? `it was ended by ${signal}` : `it exited with ${code}`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .slice(-40)
    .map((line) => `    ${line}`)
    .join('\n');
}
