import type { Server } from 'node:http';

import type { ReceiverPolicies } from '../../receiver/policies.ts';

/** Lets the receiver die as its process would: nobody listens any more, every connection is gone. */
export function mortal(
  policies: ReceiverPolicies,
  change: (die: () => Error, tune: (server: Server) => Server) => Partial<ReceiverPolicies>,
): ReceiverPolicies {
  let server: Server | undefined;
  const die = () => {
    server?.close();
    server?.closeAllConnections();
    return new Error('The process has ended.');
  };
  const tune = (tuned: Server) => {
    server = tuned;
    policies.tune(tuned);
    return tuned;
  };
  return { ...policies, tune, ...change(die, tune) };
}
