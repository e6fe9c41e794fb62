import { TargetError } from '../errors.ts';
import type { GuardedProcess } from './guardedProcess.ts';
import { type CommandResult, runCommand } from './shellCommand.ts';

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
export async function resetTarget(
  { reset, signal }: Resettable,
  targetProcess: GuardedProcess | undefined,
): Promise<void> {
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
