import type { Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import type { Draw } from '../../draw.ts';

/** Notifications that every receiver must take, and that are larger than many a buffer. */
export function large(draw: Draw): Arbitrary<Notification> {
  return draw.notification({ included: { bytes: Math.floor(draw.judgedSize * 0.75) } });
}
