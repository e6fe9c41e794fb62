import { livingAddress } from '../process/livingAddress.ts';
import { lifeSpecOf } from '../options/lifeOptions.ts';
import { confidedStandIns } from '../secrets/confided.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { ServiceSettings } from '../options/serviceOptions.ts';
import { targetUrl } from '../receiver/target.ts';
import type { ServicePlan } from './plan.ts';

/** The part of a plan that says where the service is, how it is started, and where it reaches the kit. */
export type ServiceTarget = Pick<ServicePlan, 'base' | 'life' | 'emit' | 'catcher' | 'catcherListen' | 'catcherHost'>;

/** What containers call the machine that they run on. */
const hostOfContainers = 'host.docker.internal';
/** A container does not come in by loopback. */
const everywhere = { host: '0.0.0.0', port: 0 } as const;

/**
 * Where the service is, checked before anything is sent.
 *
 * @param address - its base address; the path alone where it is started from an image
 * @throws UsageError for a bad or remote address, and for options that do not go together
 */
export async function serviceTarget(address: string, settings: ServiceSettings): Promise<ServiceTarget> {
  const { allowRemote, catcher, token, env } = settings;
  const secrets = new Secrets(confidedStandIns({ token, addresses: [settings.emit, catcher], env }));
  const life = lifeSpecOf(settings, (command) => secrets.hideTyped(command));
  const base = await targetUrl(await livingAddress(address, life), allowRemote);
  const contained = life?.kind === 'container';
  const emit = located(settings.emit, contained ? base : undefined);
  const catcherListen = settings.catcherListen ?? (contained ? everywhere : undefined);
  return {
    base,
    ...(life !== undefined && { life }),
    ...(emit !== undefined && { emit: await checkedEmit(emit, allowRemote) }),
    ...(catcher !== undefined && { catcher: await targetUrl(catcher, true) }),
    ...(catcherListen && { catcherListen }),
    ...(contained && { catcherHost: hostOfContainers }),
  };
}

/** What is posted to in a container may be given as a path: nobody knows the port. */
function located(emit: string | undefined, base: URL | undefined): string | undefined {
  return base !== undefined && emit !== undefined && /^\/\S*$/.test(emit) ? `${base.origin}${emit}` : emit;
}

/** A URL is checked like a target; anything else is a command. */
async function checkedEmit(emit: string, allowRemote: boolean): Promise<string> {
  if (/^https?:\/\//i.test(emit)) await targetUrl(emit, allowRemote);
  return emit;
}
