import { UnsupportedSchema } from '../../../../generators/schema/schemaArbitrary.ts';
import { type CatalogueEvent, type Contract, ContractError } from '../../../../spec/contract.ts';
import { verifySignature } from '../../../../spec/signature.ts';
import { sampleDeliveries } from '../sampleDeliveries.ts';

/** A delivery of every event was generated, signed and validated. */
export interface CheckedSamples {
  /** How many events have a body that is valid, and whose signature verifies where the contract has signatures. */
  readonly proven: number;
  readonly failed: readonly { readonly event: string; readonly why: string }[];
}

/** @param now - milliseconds since the epoch */
export function checkSamples(contract: Contract, now: number): CheckedSamples {
  const failed = contract.events.flatMap((event) => {
    const why = problemOf(contract, event, now);
    return why === undefined ? [] : [{ event: event.name, why }];
  });
  return { proven: contract.events.length - failed.length, failed };
}

function problemOf(contract: Contract, event: CatalogueEvent, now: number): string | undefined {
  const { signature } = contract.delivery;
  const secret = secretFor(contract);
  try {
    const [delivery] = sampleDeliveries(contract, event, { count: 1, seed: 1, now, secret });
    if (delivery === undefined) return 'no body was generated';
    const { headers, body } = delivery;
    if (!event.validate(JSON.parse(body.toString()))) return described(event);
    const lookup = (name: string) => headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
    const isSigned = signature === undefined || verifySignature(signature, '', lookup, { secret, body });
    return isSigned ? undefined : 'its signature does not verify';
  } catch (error) {
    if (error instanceof UnsupportedSchema || error instanceof ContractError) return error.message;
    throw error;
  }
}

/** A secret of the form that the contract's keys have. */
function secretFor({ delivery: { signature } }: Contract): string {
  const { encoding, prefix } = signature?.key ?? { encoding: 'utf8', prefix: '' };
  return prefix + Buffer.from('a secret of a sample').toString(encoding);
}

function described({ validate }: CatalogueEvent): string {
  const [error] = validate.errors ?? [];
  return `the body is not valid: ${error?.instancePath ?? ''} ${error?.message ?? ''}`;
}
