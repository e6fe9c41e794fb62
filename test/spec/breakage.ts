import type { ContractTexts } from '../../spec/contract.ts';
import type { ContractErrorCode } from '../../spec/contractError.ts';

/** A contract that is broken in one place, and the error that must say so. */
export interface Breakage {
  readonly title: string;
  readonly texts: ContractTexts;
  readonly code: ContractErrorCode;
  /** What the message must name. */
  readonly names: string;
}
