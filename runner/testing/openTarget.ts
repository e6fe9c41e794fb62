import { UsageError } from '../errors.ts';
import { takesConnections } from '../process/presence.ts';
import type { ReceiverSettings } from '../options/receiverOptions.ts';
import { servedApp } from './app.ts';
import type { StartOptions, TestTarget } from './testOptions.ts';

/** Where a target is and how it is started, as a plan takes it. */
interface Located extends Partial<Pick<ReceiverSettings, 'start' | 'env' | 'secretEnv'>> {
  readonly url: string;
  /** What it prints once it is up. */
  readonly wait?: RegExp;
}

/** A target that can be tested. */
export interface OpenTarget {
  readonly located: Located;
  /** Closes what was opened for the tests. */
  close(): Promise<void>;
}

type Given = TestTarget & { readonly image?: string | undefined };

/**
 * Makes sure that exactly one way to the target was given. Opens nothing.
 *
 * @throws UsageError
 */
export function checkTarget({ url, app, start, image }: Given): void {
  const given = Object.entries({ app, start, image }).filter(([, value]) => value !== undefined);
  const ways = given.map(([name]) => name);
  if (ways.length > 1) throw conflict(`${ways.join(' and ')} were given together`);
  if (url === undefined && app === undefined) throw conflict('neither url nor app was given');
  if (app !== undefined && url !== undefined && !url.startsWith('/')) throw conflict('app was given with a whole url');
}

/** Opens what was given: an app is served, all else is left to the run. */
export async function openTarget(given: Given): Promise<OpenTarget> {
  const { url = '/', app } = given;
  if (app === undefined) return { located: await located(url, given), close: async () => {} };
  const served = await servedApp(app);
  return { located: { url: `${served.origin}${url}` }, close: () => served.close() };
}

async function located(url: string, { start }: Given): Promise<Located> {
  if (typeof start !== 'object') return { url };
  // What is not started has no environment of ours.
  if (await isThere(url, start)) return { url, start: undefined, env: {}, secretEnv: undefined };
  return { url, ...(start.wait && { wait: start.wait.stdout }) };
}

async function isThere(url: string, { reuseExisting = false }: StartOptions): Promise<boolean> {
  const address = URL.parse(url);
  return reuseExisting && address !== null && (await takesConnections(address));
}

function conflict(received: string): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received,
    valid: 'a url; an app, with the path of its url; start, with its url; or image and port, with the path of its url',
    next: "give one of them, such as { app, url: '/hooks' }",
  });
}
