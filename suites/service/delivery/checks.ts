import fc from 'fast-check';

import { serviceCheck } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { firstCaught } from '../firstDelivery.ts';

/** Sections 1 and 4.4: a push is a POST to the URL that was registered. */
export const post = serviceCheck<{ readonly query: boolean }>({
  id: 'service/delivery/post',
  title: 'delivers with POST to the registered URL',
  requirements: ['SVC-2', 'DLV-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => [fc.constant({ query: false })],
  run: async (kit) => {
    const { caught } = await firstCaught(kit);
    const { method } = kit.contract.delivery;
    if (caught.method === method) return undefined;
    return broken(['SVC-2', 'DLV-1'], {
      expected: `the delivery is a ${method}`,
      actual: `it is a ${caught.method}`,
      exchanges: [caught],
    });
  },
  hint: 'Send what is delivered as the body of a POST, not as a query and not as a form.',
});

/** Section 4.4 with GAP-23: JSON, said to be JSON, and all of it. */
export const json = serviceCheck<{ readonly carrier: 0 | 1 }>({
  id: 'service/delivery/json',
  title: 'delivers whole JSON bodies and says that they are JSON',
  requirements: ['DLV-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => [fc.constant({ carrier: 0 as const }), fc.constant({ carrier: 1 as const })],
  run: async (kit, { carrier }) => {
    const { caught } = await firstCaught(kit, { carrier });
    const wrong = notJson(kit, caught);
    if (wrong) return broken('DLV-1', { ...wrong, exchanges: [caught] });
    const mediaType = kit.header(caught, 'Content-Type')!;
    kit.learn('body.mediaType', mediaType, 'the Content-Type of a delivery');
    return undefined;
  },
  hint:
    'Encode the body to UTF-8 once, and count its bytes, not its characters, for Content-Length. Say application/json, ' +
    'or a media type that ends in +json.',
});

function notJson(kit: ServiceKit, caught: Caught): { expected: string; actual: string } | undefined {
  if (kit.deliveredJson(caught) === undefined) {
    const actual =
      caught.bytes < 0
        ? 'the body broke off before the length that was announced'
        : `the ${caught.bytes} bytes that came are no JSON`;
    return { expected: 'the body is JSON', actual };
  }
  const mediaType = kit.header(caught, 'Content-Type');
  if (mediaType !== undefined && isJson(mediaType)) return undefined;
  return { expected: 'the Content-Type is a JSON media type', actual: mediaType ?? 'there is no Content-Type' };
}

/** RFC 6839, 3.1: application/json, or anything that ends in +json. */
function isJson(mediaType: string): boolean {
  return /^\s*(application\/json|text\/json|[^\s/;]+\/[^\s;]*\+json)\s*(;|$)/i.test(mediaType);
}
