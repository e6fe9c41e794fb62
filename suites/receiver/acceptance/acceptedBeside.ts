import type { Notification } from '../../../generators/notification/notification.ts';
import type { Finding } from '../../check.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedTwin, expectAccepted } from '../expectation.ts';

/** Section 2.2: where a neighbour is accepted, the notification is accepted too, whatever it differs in. */
export async function acceptedBeside(
  kit: ReceiverKit,
  neighbour: Notification,
  notification: Notification,
  difference: string,
): Promise<Finding | undefined> {
  const twin = await acceptedTwin(kit, kit.compose(neighbour));
  return expectAccepted(kit, kit.compose(notification), { requirement: 'RCV-2', twin, difference });
}
