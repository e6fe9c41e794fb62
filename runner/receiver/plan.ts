import type { ReceiverCheck } from '../../suites/check.ts';
import type { SignatureScheme } from '../../spec/signature.ts';
import type { Header } from '../../suites/delivery.ts';
import type { RunPlan } from '../engine/plan.ts';
import type { PlayApi } from './playApi.ts';

/** Everything that a run of the receiver suite depends on. */
export interface ReceiverPlan extends RunPlan<ReceiverCheck> {
  readonly url: URL;
  /** In the user's order; empty where none is known, and then no signature is judged. */
  readonly secrets: readonly string[];
  /** The variable from which a receiver that the kit starts takes its secret; nothing where it takes it from elsewhere. */
  readonly secretVariable?: string;
  /** A URL with `{id}`, or a shell command. */
  readonly probe?: string;
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

/** Where the kit plays the service's API, and how a receiver is told to recover from it. */
export interface PlayedApiSpec {
  readonly listen: { readonly host: string; readonly port: number };
  /** A URL that is posted to, or a shell command; nothing where the receiver recovers by itself. */
  readonly recover?: string;
  /** Starts it. The reference service is loaded only then. */
  readonly play: PlayApi;
}
