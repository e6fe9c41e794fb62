import type { ServiceContext } from './context.ts';

/** Resolves once every scenario waits and nothing is being made to happen, or the run has ended. */
export async function calm(context: ServiceContext): Promise<void> {
  while (!context.ended.aborted && !(context.scenarios.idle && context.happenings.idle)) await context.pulse.next(20);
}
