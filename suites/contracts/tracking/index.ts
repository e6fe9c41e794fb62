import { itemOf } from '../../items.ts';
import { shippingLineScacs } from '../../../generators/contracts/tracking/tradeNumbers.ts';
import { withPointer } from '../../../generators/json/jsonPointer.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';
import type { ContractSuite } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { trackingChecks } from './checks.ts';
import { inferred } from './inference.ts';
import { listed, lists } from './listed.ts';
import { unknownNumber, wrongScac } from './refusedTracking.ts';
import { type TrackedNumber, trackingBody } from '../../service/trackingBody.ts';

/** The checks of the tracking service alone: of numbers that are tracked, and what comes of them. */
export const trackingSuite: ContractSuite = {
  checks: [inferred, ...trackingChecks, listed, unknownNumber, wrongScac],
  after: {
    'service/sender-addresses/published': ['service/inference/carrier', 'service/tracking/found-means-records'],
    'service/lists/notification-pages': [
      'service/tracking/taken',
      'service/tracking/records',
      'service/tracking/visible',
      'service/lists/tracked',
      'service/tracking/unknown-number',
      'service/tracking/wrong-scac',
    ],
  },
  lists,
  calls: {
    infer: (kit) => ({ body: { [kit.assumption('inferNumber.member')]: numberOf(kit).number } }),
    // Idle is what asks for nothing that could be tracked.
    track: (kit) => {
      const { members, wrapper } = trackingTerms(kit.terms);
      const body = trackingBody(kit.terms, numberOf(kit));
      return { body, idle: withPointer(body, wrapper + members.number, null) };
    },
  },
};

/** A number that looks like one, where the user gave none. */
function numberOf({ trackable: [given] }: ServiceKit): TrackedNumber {
  if (given !== undefined) return given;
  const issuer = itemOf(shippingLineScacs, 0);
  return { issuer, number: `${issuer}123456789` };
}
