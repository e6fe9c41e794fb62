import { assumptionValue } from '../../spec/assumptions.ts';
import { parseScheme, signatureHeaderName } from '../../spec/signature.ts';
import type { PlayedApi } from '../../suites/playedApi.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import { startRecovery } from './startRecovery.ts';

/** Starts the service's API for the receiver; nothing where the plan has none. @throws UsageError where it cannot listen */
export async function openPlayedApi(
  plan: ReceiverPlan,
  elapsed: () => number,
): Promise<(PlayedApi & { close(): Promise<void> }) | undefined> {
  const { api, assumptions, published, secrets, headers, url } = plan;
  if (api === undefined) return undefined;
  const scheme = parseScheme(assumptionValue(assumptions, 'signature.scheme'));
  const { listen, recover } = api;
  return api.play({
    listen,
    receiver: url,
    secret: secrets[0],
    scheme,
    signatureHeader: signatureHeaderName(scheme, assumptionValue(assumptions, 'signature.header')),
    headers,
    addresses: published,
    access: plan,
    recover: recover === undefined ? undefined : () => startRecovery(recover, plan),
    elapsed,
  });
}
