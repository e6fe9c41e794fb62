import { describeAnswer } from '../../answer.ts';
import { Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';

/** @throws Unobservable where the service deletes no webhook in this way (GAP-13) */
export async function deleted(kit: ServiceKit, { id }: Webhook): Promise<Call> {
  const call = await kit.call('delete', { parameters: { id } });
  if (kit.succeeded(call)) return call;
  throw new Unobservable(`the service does not delete the webhook: ${describeAnswer(call.answer)}`);
}
