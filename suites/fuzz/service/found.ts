import type { ServiceFinding } from '../../check.ts';
import { broken, type Seen } from '../../service/broken.ts';
import type { Caused } from '../fuzzing.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** What sort of mistake a sequence shows. */
export type Cause =
  | 'lost'
  | 'not-retried'
  | 'sent-after-acceptance'
  | 'too-many-attempts'
  | 'old-url'
  | 'wrong-headers'
  | 'not-subscribed'
  | 'sent-while-inactive'
  | 'wrong-signature'
  | 'another-id'
  | 'same-id'
  | 'dated-anew'
  | 'wrong-status'
  | 'not-listed'
  | 'listed-twice'
  | 'wrong-resource'
  | 'invalid-taken'
  | 'valid-refused'
  | 'failed-call'
  | 'sample-lost'
  | 'sample-strayed'
  | 'not-tracked';

/** A mistake, and its sort. */
export type Found = ServiceFinding & Caused;

/** The finding that a requirement, or several, is broken by a mistake of this sort. */
export function wrong(cause: Cause, requirement: RequirementId | readonly RequirementId[], seen: Seen): Found {
  return { ...broken(requirement, seen), cause };
}
