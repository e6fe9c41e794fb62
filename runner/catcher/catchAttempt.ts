import type { ScriptedEndpoint } from './endpoint.ts';
import { pause } from './pause.ts';
import { type Play, playStep } from './playStep.ts';
import { readBody } from './readBody.ts';

export interface CatchLimits {
  /** Bytes of a request body that are kept. */
  readonly kept: number;
  /** Bytes of a request body that are read: a peer that goes on is cut off. */
  readonly read: number;
}

/** Plays one attempt from the arrival of its head: reads its body, and does what the endpoint's script says. */
export async function catchAttempt(endpoint: ScriptedEndpoint, play: Play, limits: CatchLimits): Promise<void> {
  const { attempt, request } = play;
  const slowness = endpoint.slowness();
  const { signal } = attempt;
  const body = await readBody(request, { limit: limits.kept, most: limits.read, slowness, signal });
  const step = attempt.arrive(body);
  if (signal.aborted) return;
  if (body.bytes < 0) return attempt.reset();
  const late = step.do === 'slow-read' ? step.ms - attempt.age() : 0;
  if (await pause(late, signal)) await playStep(step, play);
}
