import type { ServiceFinding } from '../../check.ts';
import { finding, type ServiceShown } from '../../finding.ts';
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
export function wrong(cause: Cause, requirement: RequirementId | readonly RequirementId[], shown: ServiceShown): Found {
  return { ...finding(requirement, shown), cause };
}

const hints: Readonly<Record<Cause, string>> = {
  lost: 'Store a notification for each subscribed webhook in the transaction of what happened, and let nothing that goes on meanwhile (a retry, an update, another webhook with the same url) stand in its way.',
  'not-retried':
    'Decide whether another attempt follows from the count that is stored with the notification alone; an update, a time-out or another webhook must not end or share it.',
  'sent-after-acceptance':
    'Record an acceptance before anything else looks at the notification, and let no timer that was set before it send once more.',
  'too-many-attempts': 'Count an attempt with its notification before it is made, and never count anew.',
  'old-url': 'Read the url of the webhook for every attempt, not once when the notification is queued.',
  'wrong-headers': 'Read the headers of the webhook for every attempt, by the id of the webhook and not by its url.',
  'not-subscribed': 'Look the list of events up as it is now whenever something happens.',
  'sent-while-inactive':
    'Look at active where an event is fanned out, and queue nothing for a webhook that is inactive.',
  'wrong-signature':
    'Sign every attempt over the bytes that are sent, with the secret of the webhook by its id, never by its url.',
  'another-id': 'Give a notification its id when it is stored, and send the stored body again.',
  'same-id': 'Make an id for each notification; one of the webhook, the record or the moment is not its own.',
  'dated-anew': 'Give a notification its time of creation when it is stored, and send the stored body again.',
  'wrong-status': 'Record the outcome of each attempt in the row that the list is read from, in the same transaction.',
  'not-listed': 'Order a list by something that is unique, and read it from the rows that are delivered from.',
  'listed-twice': 'Order pages by something that is unique: a time of creation is not.',
  'wrong-resource': 'Keep what was given as it was given, and change what an update names and nothing else.',
  'invalid-taken': 'Validate the whole body against the schema of the contract before anything is stored.',
  'valid-refused': 'Compare what was refused with the schema of the contract: what it allows is taken.',
  'failed-call': 'Answer what a client sent with a 4xx, and look into the log for what was thrown.',
  'sample-lost':
    'Build and send a sample by the same code as a real notification, for whichever event and url are named.',
  'sample-strayed': 'Send a sample to the url of the call alone, and keep nothing of it.',
  'not-tracked': 'Take every number that its issuer knows.',
};

/** What usually is behind a mistake of this sort, and how to fix it. */
export function hintOf({ cause }: Found): string {
  return hints[cause as Cause] ?? died;
}

/** The runner finds out by itself that a service died. */
const died =
  'Look at the end of its log: an error that nobody caught, memory that ran out, or something that is left on disk after a kill and keeps it from starting.';
