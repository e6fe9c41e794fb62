import { UsageError } from '../errors.ts';
import type { PlayApi } from './playApi.ts';
import type { ReceiverSettings } from '../options/receiverOptions.ts';
import { targetUrl } from './target.ts';
import type { PlayedApiSpec } from './plan.ts';

/** What of the settings is about the API. */
type ApiSettings = Pick<ReceiverSettings, 'apiListen' | 'recover' | 'published' | 'allowRemote'>;

/** What it depends on beside the settings. */
interface Surroundings {
  /** Starts the API; nothing where the caller has none. */
  readonly play: PlayApi | undefined;
  /** Where a recovery that is given as a path is started: the address of a receiver in a container. */
  readonly base: URL | undefined;
}

/**
 * Where the kit plays the service's API; nothing where the user did not ask for it.
 *
 * @throws UsageError for options that do not go together, and for a remote address without leave
 * @throws TypeError where it is asked for, and the caller has no API to play
 */
export async function playedApiSpec(settings: ApiSettings, around: Surroundings): Promise<PlayedApiSpec | undefined> {
  const { apiListen: listen, recover, published, allowRemote } = settings;
  if (published.length > 0 && around.base !== undefined) throw unseenInContainer();
  if (listen === undefined) {
    if (recover === undefined) return undefined;
    throw new UsageError('SW_OPTION_CONFLICT', {
      received: '--recover was given without --api-listen',
      valid: 'both: a recovery can be seen only where the receiver looks at the API that the kit plays',
      next: 'add --api-listen 127.0.0.1:4020, and give the receiver that address as the address of the service',
    });
  }
  if (around.play === undefined) throw new TypeError('apiListen needs play: pass the function that starts the API');
  if (recover === undefined) return { listen, play: around.play };
  return { listen, play: around.play, recover: await located(recover, around.base, allowRemote) };
}

async function located(recover: string, base: URL | undefined, allowRemote: boolean): Promise<string> {
  if (base !== undefined && recover.startsWith('/')) return new URL(recover, base).href;
  return /^https?:/i.test(recover) ? (await targetUrl(recover, allowRemote)).href : recover;
}

function unseenInContainer(): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received: '--published was given together with --image',
    valid: '--published for a receiver that sees where its deliveries come from',
    next: 'start the receiver with --start: a container sees every connection of this machine come from one address',
  });
}
