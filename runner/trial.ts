import { Unproven, type Finding, type ReceiverCheck } from '../suites/check.ts';
import type { GeneratedCase } from './cases.ts';
import type { ReceiverContext } from './receiverContext.ts';
import { RunEnded, type CaseKit } from './receiverKit.ts';

/** How one try of one case ended. `errored` is a fault of the kit, `ended` says that the run was over. */
export type Trial = (
  | { readonly kind: 'held' }
  | { readonly kind: 'broken'; readonly finding: Finding }
  | { readonly kind: 'unproven'; readonly reason: string }
  | { readonly kind: 'errored'; readonly error: unknown }
  | { readonly kind: 'ended' }
) & {
  /** Whether the last thing that the case saw was a connection that broke or was refused. */
  readonly connectionBroken?: boolean;
};

/** Tries a case once with a kit of its own, so with fresh ids. To be called from within a place of the activity. */
export async function tryCase(
  context: ReceiverContext,
  kit: CaseKit,
  check: ReceiverCheck,
  { value }: GeneratedCase,
): Promise<Trial> {
  if (context.ended.aborted) return { kind: 'ended' };
  const connectionBroken = () => ({ connectionBroken: kit.attempts.at(-1)?.answer.kind === 'broken' });
  try {
    const finding = await check.run(kit, value.value);
    return finding ? { kind: 'broken', finding, ...connectionBroken() } : { kind: 'held' };
  } catch (error) {
    if (error instanceof RunEnded || context.ended.aborted) return { kind: 'ended' };
    if (error instanceof Unproven) return { kind: 'unproven', reason: error.message, ...connectionBroken() };
    return { kind: 'errored', error };
  }
}
