import type { Expectation } from '../../reports/model/events.ts';
import type { SharedConfig, ReceiverConfig, ServiceConfig } from '../options/config.ts';
import type { CountEffects } from '../receiver/probe.ts';
import type { StartRecovery } from '../receiver/plan.ts';
import type { EmitEvent } from '../service/plan.ts';
import { type App, servedApp } from './app.ts';
import { UsageError } from '../errors.ts';
import { takesConnections } from '../process/presence.ts';
import type { ReceiverSettings } from '../options/receiverOptions.ts';

/** A command that runs the target. The kit starts it, and may kill, pause and restart it. */
export interface StartOptions {
  /** A shell command that goes on as long as the target runs. */
  readonly command: string;
  /**
   * What it prints once it is up. Where the pattern has a group `port`, `url` is a path, and the rest of the address comes from
   * what is printed. Default: it is up where it takes connections at `url`.
   *
   * @example { stdout: /listening on (?<port>\d+)/ }
   */
  readonly wait?: { readonly stdout: RegExp } | undefined;
  /** Uses what takes connections at `url` already, and starts nothing then. Default: false, which makes that an error. */
  readonly reuseExisting?: boolean | undefined;
}

/** Where the target is: exactly one of a URL, the app itself, a command and an image. */
export interface TestTarget {
  /** Its address, http or https; the path alone with `app`, with `image`, and with a command that prints its port. */
  readonly url?: string | undefined;
  /** The app itself. The kit lets it listen on a free port of this machine, in the process of the tests. */
  readonly app?: App | undefined;
  /** A command that runs it. */
  readonly start?: string | StartOptions | undefined;
}

/** Each may be `undefined`, which is the same as leaving it out: `secret: process.env['SECRET']`. */
type Loose<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** What tests of any target take beside the options of the command line. */
interface OwnOptions extends TestTarget {
  /** What is known to fail: a list, or the path of a file as `--expect-failures` takes it. Default: nothing. */
  readonly expectFailures?: string | readonly Expectation[] | undefined;
  /** Lets the kit send to an address that is neither loopback nor private. Default: false */
  readonly allowRemote?: boolean | undefined;
}

/** What `describeReceiver` takes. docs/options.md explains what the command line takes as well. */
export interface ReceiverTestOptions
  extends Loose<Omit<ReceiverConfig, keyof OwnOptions | 'bail' | 'probe' | 'recover'>>, OwnOptions {
  /** Counts how often a notification took effect: a function, a URL with `{id}` or its path alone, or a shell command. */
  readonly probe?: CountEffects | string | undefined;
  /** Starts the recovery from an outage: a function, a URL that gets a POST, or a shell command. Needs `apiListen`. */
  readonly recover?: StartRecovery | string | undefined;
}

/** What `describeService` takes. docs/options.md explains what the command line takes as well. */
export interface ServiceTestOptions extends Loose<Omit<ServiceConfig, keyof OwnOptions | 'bail' | 'emit'>>, OwnOptions {
  /** Makes the service raise one event: a function, a URL, or a shell command. */
  readonly emit?: EmitEvent | string | undefined;
}

/** What both take. */
export type AnyTestOptions = OwnOptions & Loose<Omit<SharedConfig, keyof OwnOptions | 'bail'>>;

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
