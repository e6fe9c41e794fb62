import type { Json } from '../generators/json/json.ts';
import type { Contract } from '../spec/contract.ts';
import type { ServiceTerms } from '../spec/serviceTerms.ts';
import type { Caught, FoundSignature } from './exchange.ts';

/** What reads a delivery that was caught. */
export interface DeliveryReader {
  readonly contract: Contract;
  readonly terms: Pick<ServiceTerms, 'notification'>;
  /** The value of a header of a delivery, whatever its case; several are joined. */
  header(caught: Caught, name: string): string | undefined;
  /** A member of a delivered body by the name that the contract's delivery terms give it; nothing where it is not there. */
  delivered(caught: Caught, member: keyof Contract['delivery']['members']): unknown;
  /** The delivered body as JSON; nothing where it is none. */
  deliveredJson(caught: Caught): Json | undefined;
  /**
   * Whether the delivery carries a signature of its body under this secret, in whatever scheme and header.
   *
   * @returns nothing where it does not
   */
  signature(caught: Caught, secret: string): FoundSignature | undefined;
}
