import { Unobservable } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';

/** Whether the service itself says that no further attempt of a notification follows; not where it shows no list. */
export async function isListedAsFailed(kit: ServiceKit, id: string): Promise<boolean> {
  try {
    return (await kit.listed([id])).get(id)?.status === kit.terms.notification.statuses.exhausted;
  } catch (error) {
    if (error instanceof Unobservable) return false;
    throw error;
  }
}
