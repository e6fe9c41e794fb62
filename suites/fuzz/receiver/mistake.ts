import type { Finding } from '../../check.ts';
import type { Caused } from '../fuzzing.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';

/** Thrown by a step, or by the judgement at the end, where the receiver did what no right receiver does. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly finding: Finding & Caused;

  constructor(finding: Finding, cause: Cause) {
    super(`${finding.requirements[0]}: ${finding.actual}`);
    this.finding = { ...finding, cause };
  }
}

/**
 * What sort of mistake it is:
 *
 * - `lost`: acknowledged, and no effect
 * - `twice`: more than one effect
 * - `refused`: a genuine delivery was not accepted, or nobody answered it
 * - `unanswered`: a redelivery had no answer at first
 * - `accepted`: what had to be refused was accepted
 * - `took effect`: what had to be refused took effect
 * - `failed`: it was refused in a way that says that the receiver failed
 * - `gone`: the receiver takes nothing any more
 */
export type Cause = 'lost' | 'twice' | 'refused' | 'unanswered' | 'accepted' | 'took effect' | 'failed' | 'gone';

/** Attempts of other notifications, and of its own, that a reader is shown. */
const most = { others: 6, own: 12 } as const;

/** What was sent of a notification and of those that it may have been taken for, in order, the decisive attempt last. */
export function historyOf(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  decisive?: Attempt,
): readonly Attempt[] {
  const own = kit.attempts.filter(({ delivery }) => delivery.id === entry.genuine.id);
  const last = decisive ? own.findLast(({ answer }) => answer === decisive.answer) : own.at(-1);
  const until = last ? kit.attempts.indexOf(last) : kit.attempts.length;
  const ids = new Set(
    modelState.entries.filter((other) => other !== entry && other.begun).map(({ genuine }) => genuine.id),
  );
  const earlier = kit.attempts.slice(0, until);
  const others = earlier.filter(({ delivery }) => ids.has(delivery.id)).slice(-most.others);
  const before = earlier.filter((attempt) => own.includes(attempt)).slice(-most.own);
  const shown = new Set([...others, ...before]);
  return [...earlier.filter((attempt) => shown.has(attempt)), ...(last ? [last] : decisive ? [decisive] : [])];
}

/** What usually is behind a failure of this sort, and how to fix it. */
export function hintOf({ requirements, cause }: Finding & Caused): string {
  const [requirement = ''] = requirements;
  return special[`${requirement} ${cause}`] ?? usual[cause as Cause] ?? died;
}

/** The runner finds out by itself that a receiver died. */
const died =
  'Look at the end of its log: an error that nobody caught, memory that ran out, or something that is left on disk after a ' +
  'kill and keeps it from starting.';

const usual: Readonly<Record<Cause, string>> = {
  lost:
    'Something that came before made the receiver take this notification for done. Store it in one transaction with the ' +
    'mark of its id, answer only then, and let nothing but an accepted delivery of the same id leave a mark.',
  twice:
    'Let a unique index on the id decide, in the same database and transaction as the effect. A cache, a time limit or a ' +
    'look before the insert leaves a gap through which a second copy slips.',
  refused:
    'What was refused differs from what was accepted in one thing only. Look for what an earlier delivery left behind: a ' +
    'lock, a counter, a cache, a row that is half written.',
  unanswered:
    'Answer a duplicate exactly like the first delivery: a path of its own for it is easily left without an answer.',
  accepted: 'Check the whole signature over the raw bytes first, each time, before anything of the body is looked at.',
  'took effect': 'Check the signature, and read the body, before anything is stored, marked or queued.',
  failed: 'Catch the error of the JSON parser and answer 400. An uncaught one ends in a 500, or ends the process.',
  gone: 'A delivery that breaks off, is forged or is no JSON must leave nothing behind that keeps the receiver from serving.',
};

const special: Readonly<Record<string, string>> = {
  'IDM-4 lost':
    'Deduplicate by the whole id of the notification. A part of it, the time, the event or the content repeat in real life.',
  'IDM-5 lost':
    'Mark an id as done in the transaction that does the work, not when the request arrives: what failed half-way is no duplicate.',
  'VRF-2 lost':
    'Check the signature before you look at the id: a forged delivery must not mark, lock or drop anything.',
  'VRF-2 refused':
    'Check the signature before you look at the id: a forged delivery must not mark, lock or drop anything.',
  'RCV-2 lost':
    'What was acknowledged got lost on the way because of what it says: a limit of a column or a queue, a decoder that is fed ' +
    'piece by piece, an order of members that was relied on. Acknowledge only what is stored whole.',
  'RCV-3 lost':
    'Commit the notification to disk, in a transaction or a queue that survives a kill, and answer only then; at the start, ' +
    'take up what is stored and not yet done.',
  'IDM-1 refused': 'Answer a duplicate exactly like the first delivery. Any refusal makes the service send it again.',
  'IDM-1 unanswered':
    'Answer a duplicate exactly like the first delivery: a path of its own for it is easily left without an answer.',
  'RCV-1 refused': 'Store the notification first and answer; decide about the event afterwards.',
  'RCV-2 refused':
    'Raise the limit of the body parser to 64 KiB at least, read the body as bytes and decode them as a whole, and expect no ' +
    'fixed form of times, texts and related resources.',
  'RCV-7 refused': 'Take the body as JSON whatever JSON media type it comes with.',
  'VRF-1 refused':
    'Compute the signature over the bytes as they arrived, never over JSON that was parsed and written again; try each secret.',
  'VRF-3 accepted': 'Verify the bytes as they arrived, all of them, before a JSON parser touches them.',
  'RCV-5 accepted':
    'Answer 400 to a signed body that is not JSON or has no id: an accepting status lets the sender forget the notification.',
};
