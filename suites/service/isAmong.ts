import type { AssumptionKey } from '../../spec/names.ts';
import type { Call } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';

/** Whether an answer has one of the statuses that an assumption lists: `4xx`, `200,202`. */
export function isAmong(kit: Pick<ServiceKit, 'assumption'>, { answer }: Call, key: AssumptionKey): boolean {
  if (answer.kind !== 'answered') return false;
  const { status } = answer;
  return kit
    .assumption(key)
    .split(',')
    .some((text) => {
      const word = text.trim().toLowerCase();
      return word.endsWith('xx') ? Math.floor(status / 100) === Number(word[0]) : Number(word) === status;
    });
}
