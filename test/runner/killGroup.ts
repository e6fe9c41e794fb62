import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills a process, and all that it has started, unless it has ended. */
export async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await exit;
}
