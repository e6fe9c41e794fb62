import { Unproven } from '../../suites/check.ts';
import { RefusedAddress, type Access } from '../http/access.ts';
import { failureCode } from '../http/connector.ts';
import { postTo } from '../http/postTo.ts';
import { endOfOutput, runCommand } from '../process/shellCommand.ts';

/** Milliseconds that a recovery may take. */
const timeout = 60_000;

/** What is known of the run that it is part of. */
interface Recovering extends Access {
  readonly signal: AbortSignal;
}

/**
 * Starts the recovery of a receiver, and waits until it has ended.
 *
 * @param how - a URL, which is posted to, or a shell command
 * @throws Unproven where it failed
 */
export async function startRecovery(how: string, run: Recovering): Promise<void> {
  const trouble = /^https?:/i.test(how) ? await post(how, run) : await execute(how, run);
  if (trouble !== undefined) throw new Unproven(`the recovery could not be started (--recover ${how}): ${trouble}`);
}

/** @returns what went wrong */
async function post(url: string, run: Recovering): Promise<string | undefined> {
  try {
    const status = await postTo(url, { timeout, signal: run.signal }, run);
    return status < 400 ? undefined : `POST was answered with ${status}`;
  } catch (error) {
    return `POST failed (${error instanceof RefusedAddress ? error.message : failureCode(error)})`;
  }
}

/** @returns what went wrong */
async function execute(command: string, { signal }: Recovering): Promise<string | undefined> {
  const { code, stderr, timedOut, signal: endedBy } = await runCommand(command, { timeout, signal });
  if (code === 0) return undefined;
  const end = timedOut ? `it had not ended after ${timeout / 1000} s` : `it ended with ${code ?? endedBy}`;
  const said = stderr.trim();
  return said === '' ? end : `${end} and said ${endOfOutput(said, 400)}`;
}
