import fc from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { hasForm } from '../../spec/delivery.ts';
import { deliveryId } from '../../generators/notification/namedNotification.ts';

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

/** Whether ids of this contract may differ in the case of a letter alone. Those of a uuid mean the same. */
export function hasCases(contract: Contract): boolean {
  const [id = ''] = fc.sample(deliveryId(contract), { numRuns: 1, seed: 1 });
  return otherCases(contract, id).length > 0;
}

/** The id with one letter in the other case, for each letter that may be so. */
export function otherCases({ delivery }: Contract, id: string): readonly string[] {
  const { form = 'uuid' } = delivery.id ?? {};
  if (form === 'uuid') return [];
  const turned = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
  const others = Array.from(id, (letter, place) => id.slice(0, place) + turned(letter) + id.slice(place + 1));
  return others.filter((other) => other !== id && hasForm(other, form)).toReversed();
}
