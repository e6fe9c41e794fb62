import type { Json } from '../../generators/json/json.ts';
import { valueAt, withPlace } from '../../generators/json/jsonPointer.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Header } from '../../suites/delivery.ts';
import type { CatchStep } from '../../suites/exchange.ts';
import { parsed } from './answers.ts';
import { textAt } from './located.ts';

/**
 * How the contract's verification of a URL is answered; nothing where it has none, or the request is something else. A receiver
 * answers it with success whatever it makes of deliveries: a service may create a webhook only then.
 */
export function verificationAnswer(
  { service, delivery }: Contract,
  body: Buffer,
  headers: readonly Header[],
): CatchStep | undefined {
  if (service?.verification === undefined) return undefined;
  const { at, value, echo } = service.verification;
  const text = textAt({ body, headers }, at);
  if (text === '' || (value !== undefined && text !== value)) return undefined;
  const [status] = delivery.acceptedStatuses;
  const held = echo === undefined ? undefined : valueAt(parsed(body.toString()) ?? null, echo);
  if (echo === undefined || held === undefined) return { do: 'respond', status };
  const answer = JSON.stringify(withPlace({}, echo, held as Json));
  return { do: 'respond', status, body: answer, headers: [['Content-Type', 'application/json']] };
}
