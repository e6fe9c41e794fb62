import type { FuzzStep } from '../fuzzing.ts';

const plain: ReadonlySet<string> = new Set(['deliver', 'redeliver']);

/** Plain deliveries of the notification that a step is about. */
export function plainer(step: FuzzStep): readonly FuzzStep[] {
  const slot = slotOf(step as FuzzStep & Partial<Slotted>);
  if (slot === undefined || plain.has(step.do)) return [];
  return [...plain].map((kind) => ({ do: kind, slot }));
}

interface Slotted {
  readonly slot: string;
  readonly parts: readonly { readonly slot: string }[];
}

function slotOf({ slot, parts }: Partial<Slotted>): string | undefined {
  return slot ?? parts?.[0]?.slot;
}
