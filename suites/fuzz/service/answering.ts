import type { CatchScript, CatchStep } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { parseDuration } from '../../../spec/duration.ts';
import type { Answering } from './steps.ts';

/** Milliseconds that a silence lasts where the service may wait for longer than a sequence should. */
const silence = 1000;

/** The script of an endpoint that answers so. A silence ends where the service is not known to give up soon. */
export function scriptOf(kit: ServiceKit, { refusals, status }: Answering): CatchScript {
  const isSoon = parseDuration(kit.assumption('delivery.timeout')) <= 2 * silence;
  const played = (step: CatchStep): CatchStep => (step.do === 'hang' && !isSoon ? { do: 'hang', ms: silence } : step);
  const first = refusals.flatMap(({ times, by }) => Array.from({ length: times }, () => played(by)));
  return [...first, { do: 'respond', status }] as unknown as CatchScript;
}
