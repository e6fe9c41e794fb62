import type { ReceiverPolicies } from '../../receiver/policies.ts';

/**
 * Copies that arrive while one is being worked on wait for that one, and are duplicates of it: a mistake made within
 * the work then shows only where a process ends in the middle of it.
 */
export function sharing(accept: ReceiverPolicies['accept']): ReceiverPolicies['accept'] {
  const underWay = new Map<string, Promise<unknown>>();
  return async (notification, store, delivery) => {
    const first = underWay.get(notification.id);
    if (first !== undefined) {
      await first;
      return 'duplicate';
    }
    const work = accept(notification, store, delivery);
    underWay.set(notification.id, work);
    try {
      return await work;
    } finally {
      underWay.delete(notification.id);
    }
  };
}
