import { createHash } from 'node:crypto';

/**
 * Which attempts are of one delivery: those at one webhook whose keys are equal, for they have one id and name one event.
 * The delivery log, the model of sequences and the reports all go by it.
 *
 * The id alone does not do. A service that gives one id to two events would seem to retry where it sends another
 * notification. Nothing else of the body counts: a retry may have changed, which is for the checks to find. The catcher and
 * the listener go by the id alone: a script of answers must not start anew where a retry names another event, and that
 * it does is what a check of the listener looks for.
 */
export function deliveryKey({ id, event }: { readonly id: string; readonly event: string }): string {
  return JSON.stringify([id, event]);
}

/** What stands for the id under a contract that has none: attempts with the same body are of one delivery then. */
export function idOfBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}
