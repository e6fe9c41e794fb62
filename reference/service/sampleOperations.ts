import type { Handlers } from './call.ts';
import { Refusal } from './refusal.ts';
import { jsonReply } from './reply.ts';

/** Section 4.2. */
export const sampleOperations: Handlers = {
  triggerWebhook: async ({ body }, { policies, samples }) => {
    const order = policies.sampleOrder(body);
    const problems = policies.urlProblems(order.url, '/url');
    if (problems.length > 0) throw new Refusal(problems);
    await samples.send(order);
    const message = `A sample of ${order.event} is on its way to ${order.url}.`;
    return jsonReply(202, { message }, 'application/json; charset=utf-8');
  },
};
