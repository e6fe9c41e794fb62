import { privateStandIns } from '../privateStandIns.ts';
import { redactedEvent } from '../service/redacted.ts';
import { serviceStandIns } from '../service/serviceStandIns.ts';
import { keptMembers, withStandIns } from '../withoutSecrets.ts';
import type { FuzzPlan } from './fuzzPlan.ts';

/** The same without what a search was told in confidence, wherever the target has repeated it. */
export function withoutConfidences<T>(value: T, { subject, plan }: FuzzPlan): T {
  if (subject === 'receiver') return withStandIns(value, privateStandIns(plan), keptMembers);
  return withStandIns(redactedEvent(value, plan.token), serviceStandIns(plan), keptMembers);
}
