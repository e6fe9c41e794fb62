import { type Assumption, assumptionValue } from './assumptions.ts';
import type { Contract } from './contract.ts';
import { contractScheme, parseScheme, type SignatureScheme } from './signatureScheme.ts';
import { signatureHeaderName } from './signature.ts';

/** How the deliveries of a run are signed, and in which header the signature stands. */
export interface RunScheme {
  readonly scheme: SignatureScheme;
  readonly header: string;
}

/**
 * How the deliveries of a run are signed: as the contract says where the assumption `signature.scheme` leaves it to the
 * contract, else as the assumption says.
 *
 * @throws SignatureSchemeError for an assumption that names no scheme
 */
export function runScheme({ delivery }: Contract, assumptions: readonly Assumption[]): RunScheme {
  const name = assumptionValue(assumptions, 'signature.scheme');
  const header = assumptionValue(assumptions, 'signature.header');
  const scheme = name === contractScheme && delivery.signature ? renamed(delivery.signature) : named(name);
  return { scheme, header: signatureHeaderName(scheme, header) };
}

/** Without signatures nothing is ever signed: which scheme stands for none does not matter. */
function named(name: string): SignatureScheme {
  return parseScheme(name === contractScheme ? 'hmac-sha256-hex' : name);
}

/** The header of the signature is the one that the run assumes: a relay may have renamed it. */
function renamed(scheme: SignatureScheme): SignatureScheme {
  const [{ template }, ...others] = scheme.headers;
  return { ...scheme, headers: [{ template }, ...others] };
}
