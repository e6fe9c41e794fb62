import { passwordStandIns } from '../addressPasswords.ts';
import { privateStandIns } from '../receiverStandIns.ts';
import { redactedEvent } from '../service/redacted.ts';
import { kitNames, withStandIns } from '../withoutSecrets.ts';
import type { FuzzPlan } from './fuzzPlan.ts';

/** The same without what a search was told in confidence, wherever the target has repeated it. */
export function withoutConfidences<T>(value: T, { subject, plan }: FuzzPlan): T {
  if (subject === 'receiver') return withStandIns(value, privateStandIns(plan), kitNames);
  return withStandIns(redactedEvent(value, plan.token), passwordStandIns([plan.emit]), kitNames);
}
