import { livingAddress } from '../process/livingAddress.ts';
import { lifeSpecOf } from '../options/lifeOptions.ts';
import { Secrets } from '../secrets/secrets.ts';
import { confidedStandIns } from '../secrets/confided.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { PlayApi } from './playApi.ts';
import { playedApiSpec } from './playedApiSpec.ts';
import type { ReceiverSettings } from '../options/receiverOptions.ts';
import { senderAddresses } from './senderAddresses.ts';
import { checkedProbe, targetUrl } from './target.ts';

/** The part of a plan that says where the receiver is, how it is started, and what it looks at. */
export type ReceiverTarget = Pick<ReceiverPlan, 'url' | 'probe' | 'life' | 'published' | 'api'>;

/**
 * Where the receiver is, checked before anything is sent.
 *
 * @param address - a URL; the path alone where the receiver is started from an image
 * @param play - starts the service's API; needed where `apiListen` is given
 * @throws UsageError for a bad or remote address, and for options that do not go together
 */
export async function receiverTarget(
  address: string,
  settings: ReceiverSettings,
  play: PlayApi | undefined,
): Promise<ReceiverTarget> {
  const { allowRemote } = settings;
  const { secret, header, probe: asked, recover, env } = settings;
  const secrets = new Secrets(confidedStandIns({ secrets: secret, headers: header, addresses: [asked, recover], env }));
  const life = lifeSpecOf(settings, (command) => secrets.hideTyped(command));
  const url = await targetUrl(await livingAddress(address, life), allowRemote);
  const base = life?.kind === 'container' ? url : undefined;
  const probe = located(settings.probe, base);
  const api = await playedApiSpec(settings, { play, base });
  return {
    url,
    ...(life !== undefined && { life }),
    ...(probe !== undefined && { probe: await checkedProbe(probe, allowRemote) }),
    published: await senderAddresses(settings.published),
    ...(api !== undefined && { api }),
  };
}

/** A probe of a container may be given as a path with `{id}`: nobody knows the port. */
function located(probe: string | undefined, base: URL | undefined): string | undefined {
  const isPath = probe !== undefined && /^\/\S*\{id\}\S*$/.test(probe);
  return base !== undefined && isPath ? `${base.origin}${probe}` : probe;
}
