import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeEditIn, editSites, rawForm } from '../../../generators/spelling/rawForm.ts';
import type { Draw } from '../../draw.ts';
import { editKinds, type RawForm } from '../../../generators/spelling/edit.ts';

/** A notification and another spelling of its body, which says the same in other bytes. */
export interface Respelling {
  readonly form: RawForm;
  readonly notification: Notification;
}

/** Every kind of spelling, each with notifications that can be spelt so. */
export function respelling(draw: Draw): readonly Arbitrary<Respelling>[] {
  return editKinds.map((kind) =>
    fc
      .record({ form: rawForm({ kinds: [kind] }), notification: draw.notification({ text: 'unicode' }) })
      .filter(({ notification }) => editSites(notification.value, kind) > 0),
  );
}

/** The spelling in plain words, with the places where it differs from compact JSON. */
export function describeForm({ value }: Notification, form: RawForm): string {
  return form.map((edit) => describeEditIn(value, edit)).join('; ');
}

/** Notifications that every receiver must take, and that are larger than many a buffer. */
export function large(draw: Draw): Arbitrary<Notification> {
  return draw.notification({ included: { bytes: Math.floor(draw.judgedSize * 0.75) } });
}
