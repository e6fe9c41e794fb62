import type { Handlers } from './call.ts';
import { member } from './member.ts';
import type { TrackingOrder } from './policies.ts';
import { Refusal, refusal } from './refusal.ts';
import { jsonReply } from './reply.ts';
import { trackingRequestResource } from './scene.ts';

/** Sections 2.3 and 4.3: from a number to its records. */
export const trackingOperations: Handlers = {
  createTrackingRequest: async ({ body }, { policies, voyages }) => {
    const order = trackingOrder(body);
    const problems = policies.trackingProblems(order);
    if (problems.length > 0) throw new Refusal(problems);
    const request = await voyages.begin(order);
    return jsonReply(201, { data: trackingRequestResource(request, policies.timestamp) });
  },
  inferTrackingNumber: ({ body }, { policies }) => {
    const number = member(body, 'number') as string;
    const scac = policies.inferScac(number);
    if (scac !== undefined) return jsonReply(200, { data: { number, scac } });
    throw refusal(
      422,
      'unknown-number',
      `No shipping line is known for ${JSON.stringify(number.slice(0, 40))}. Valid is a number that begins with a line's SCAC, or a container's.`,
    );
  },
};

function trackingOrder(body: unknown): TrackingOrder {
  const attribute = (name: string) => member(body, 'data', 'attributes', name) as string;
  return { type: attribute('request_type'), number: attribute('request_number'), scac: attribute('scac') };
}
