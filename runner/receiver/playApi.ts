import type { SignatureScheme } from '../../spec/signature.ts';
import type { Header } from '../../suites/delivery.ts';
import type { PlayedApi } from '../../suites/playedApi.ts';
import type { Access } from '../http/access.ts';

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
