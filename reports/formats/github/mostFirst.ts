import { amount } from '../../text/amount.ts';
import type { Annotation } from './workflowCommand.ts';

/** Annotations of each kind that GitHub shows for a step; further ones are in the log only. */
const shown = 10;

/**
 * The annotations kind by kind, each kind in its order. Where there are more of a kind than GitHub shows, the last one
 * that it shows says how many more there are.
 */
export function mostFirst(annotations: readonly Annotation[]): readonly Annotation[] {
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => {
    const mine = annotations.filter((annotation) => annotation.kind === kind);
    if (mine.length <= shown) return mine;
    const more = amount(mine.length - shown + 1, `more ${kind}`);
    const message = `GitHub shows ${shown} of each kind. All of them are in the log of this step, and in its summary.`;
    return [...mine.slice(0, shown - 1), { kind, title: more, message }, ...mine.slice(shown - 1)];
  });
}
