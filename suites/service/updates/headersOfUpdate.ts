import type { Caught } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';

/** A custom header of a webhook before its update, and the one that the update puts there. */
export const before = { name: 'X-Kit-Before', value: 'before' } as const;
export const later = { name: 'X-Kit-Later', value: 'later' } as const;

type HeaderOfUpdate = typeof before | typeof later;

/** What is wrong with the headers of a delivery, in words; nothing where they are right, or webhooks have none. */
export function wrongHeaders(
  kit: ServiceKit,
  caught: Caught,
  { wanted, gone }: { readonly wanted: HeaderOfUpdate; readonly gone: HeaderOfUpdate },
): string | undefined {
  if (kit.terms.webhook.members.headers === undefined) return undefined;
  if (kit.header(caught, wanted.name) !== wanted.value) return `${wanted.name} was not sent`;
  return kit.header(caught, gone.name) === undefined ? undefined : `${gone.name} was still sent`;
}
