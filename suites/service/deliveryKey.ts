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
