import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { sizeText } from '../../../spec/units.ts';
import { receiverCheck } from '../../check.ts';
import { acceptedTwin, expectAccepted } from '../expectation.ts';
import { filled } from '../signature/setting.ts';

interface MediaTypeCase {
  readonly notification: Notification;
  readonly contentType: string;
  /** Bytes of the body, with white space at its end: a body parser may have a limit for each media type. */
  readonly bytes: number;
}

/** Section 4.4: the media type's spelling does not decide. */
export const anyMediaType = receiverCheck<MediaTypeCase>({
  id: 'receiver/acceptance/media-types',
  title: 'accepts the JSON media types that a service may send',
  requirements: ['RCV-7'],
  needs: [],
  weight: 0.5,
  cases: (draw) =>
    [0, draw.judgedSize].flatMap((bytes) =>
      draw.mediaTypes.map((contentType) =>
        fc.record({
          contentType: fc.constant(contentType),
          bytes: fc.constant(bytes),
          notification: draw.notification(),
        }),
      ),
    ),
  run: async (kit, { notification, contentType, bytes }) => {
    const rewrite = (body: Buffer): Buffer => filled(body, bytes);
    const twin = await acceptedTwin(kit, kit.compose(notification, { rewrite }));
    return expectAccepted(kit, kit.compose(notification, { contentType, rewrite }), {
      requirement: 'RCV-7',
      twin,
      difference: `the header Content-Type: ${contentType}${bytes === 0 ? '' : `, and a body of ${sizeText(bytes)}`}`,
    });
  },
  hint:
    'Configure the body parser for every content type (it is JSON in any case), rather than for application/json alone, and ' +
    'with one limit for all of them: a parser of its own for a type has a limit of its own.',
});
