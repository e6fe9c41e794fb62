import { once } from 'node:events';

/** Waits for the end that the user asks for. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
