import type { Contract } from '../../spec/contract.ts';
import { hasForm } from '../../spec/delivery.ts';

/** Ids that differ from this one in one character: of the first place that can differ, then of the next one, to the last. */
export function neighbourIds({ delivery }: Contract, id: string): readonly string[] {
  const form = delivery.id?.form ?? 'uuid';
  const isOfForm = form === 'uuid' ? () => true : (text: string) => hasForm(text, form);
  const others = Array.from(
    id,
    (digit, place) => id.slice(0, place) + (digit === '0' ? '1' : '0') + id.slice(place + 1),
  );
  return others.filter(isOfForm);
}
