import type { AssumptionKey } from '../../spec/names.ts';
import { isListedStatus } from '../../spec/statusClasses.ts';
import type { Call } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';

/** Whether an answer has one of the statuses that an assumption lists: `4xx`, `200,202`. */
export function isAmong(kit: Pick<ServiceKit, 'assumption'>, { answer }: Call, key: AssumptionKey): boolean {
  return answer.kind === 'answered' && isListedStatus(kit.assumption(key), answer.status);
}
