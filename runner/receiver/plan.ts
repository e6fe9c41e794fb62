import type { ReceiverCheck } from '../../suites/check.ts';
import type { SignatureScheme } from '../../spec/signature.ts';
import type { Header } from '../../suites/delivery.ts';
import type { RunPlan } from '../engine/plan.ts';
import type { PlayedApi } from '../../suites/kit.ts';
import type { Access } from '../http/access.ts';
import type { CountEffects } from './probe.ts';

/** Everything that a run of the receiver suite depends on. */
export interface ReceiverPlan extends RunPlan<ReceiverCheck> {
  readonly url: URL;
  /** In the user's order; empty where none is known, and then no signature is judged. */
  readonly secrets: readonly string[];
  /** The variable from which a receiver that the kit starts takes its secret; nothing where it takes it from elsewhere. */
  readonly secretVariable?: string;
  /** A URL with `{id}`, the path of one at the receiver, a shell command, or a function. */
  readonly probe?: string | CountEffects;
  /** Patterns of event names with `*`; empty means all. */
  readonly events: readonly string[];
  /** The sender addresses that the receiver lets in, addresses of this machine; empty where it lets in all. */
  readonly published: readonly string[];
  /** The API of the service, played by the kit for the receiver; nothing where it is not. */
  readonly api?: PlayedApiSpec;
  /** Custom headers that go out with each delivery. */
  readonly headers: readonly Header[];
  /** How deliveries are signed. */
  readonly scheme: SignatureScheme;
}

/**
 * Starts the recovery of a receiver from an outage. What it returns settles once the receiver has recovered.
 *
 * @example () => recoverFrom('http://127.0.0.1:4010/v2')
 */
export type StartRecovery = () => unknown;

/** Where the kit plays the service's API, and how a receiver is made to recover from it. */
export interface PlayedApiSpec {
  readonly listen: { readonly host: string; readonly port: number };
  /** A URL that gets a POST, a shell command, or a function; nothing where the receiver recovers by itself. */
  readonly recover?: string | StartRecovery;
  /** Starts it. The reference service is loaded only then. */
  readonly play: PlayApi;
}

/** What the played API has to know of the run. */
export interface PlayApiOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** Where it delivers. */
  readonly receiver: URL;
  /** What it signs deliveries with; nothing leaves them unsigned. */
  readonly secret: string | undefined;
  readonly scheme: SignatureScheme;
  readonly signatureHeader: string;
  /** Custom headers that go out with each delivery. */
  readonly headers: readonly Header[];
  /** How it may connect to the receiver. */
  readonly access: Access;
  /** The sender addresses that it publishes at first; the first one is where it sends from. Empty: those of this machine. */
  readonly addresses: readonly string[];
  /** Starts the recovery; nothing where the user gave no way to. */
  readonly recover: (() => Promise<void>) | undefined;
  /** Milliseconds of the run. */
  elapsed(): number;
}

/**
 * Starts the service's API for the receiver to look at. The program gives it, for it alone knows the reference service.
 *
 * @throws UsageError where the address cannot be listened on
 */
export type PlayApi = (options: PlayApiOptions) => Promise<PlayedApi & { close(): Promise<void> }>;
