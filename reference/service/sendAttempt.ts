import type { DeliveryTuning, ServicePolicies } from './policies.ts';
import type { Attempt, Outcome } from './records.ts';
import type { Sender } from './sender.ts';

/** How many redirects are followed at most, where a policy follows any. */
const mostHops = 5;

/** Makes one attempt (section 4.4): puts the request together and sends it. */
export async function sendAttempt(
  attempt: Attempt,
  policies: ServicePolicies,
  tuning: DeliveryTuning,
  sender: Sender,
): Promise<Outcome> {
  const body = policies.attemptBody(attempt);
  const secret = policies.secretFor(attempt);
  const signature = secret === undefined ? undefined : policies.sign(body, secret);
  const headers = policies.requestHeaders({ signature, custom: policies.customHeaders(attempt) });
  const { method, answerLimit } = policies;
  const request = { method, headers, body, contentLength: policies.contentLength(body), answerLimit };
  let url: string | undefined = policies.destination(attempt);
  let outcome: Outcome = { kind: 'broken', code: 'NO_DESTINATION' };
  for (let hop = 0; url !== undefined && hop <= mostHops; hop += 1) {
    outcome = await sender.send({ ...request, url, timeout: policies.timeout(tuning) });
    url = policies.redirect(outcome, url);
  }
  return outcome;
}
