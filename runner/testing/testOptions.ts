import type { Expectation } from '../../reports/model/events.ts';
import type { SharedConfig, ReceiverConfig, ServiceConfig } from '../options/config.ts';
import type { CountEffects } from '../receiver/functionProbe.ts';
import type { StartRecovery } from '../receiver/plan.ts';
import type { EmitEvent } from '../service/plan.ts';
import type { App } from './app.ts';

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
