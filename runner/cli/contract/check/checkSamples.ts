import { schemasAt } from '../../../../generators/schema/schemaReference.ts';
import { UnsupportedSchema } from '../../../../generators/schema/schemaArbitrary.ts';
import { type CatalogueEvent, type Contract, ContractError } from '../../../../spec/contract.ts';
import type { TimeForm } from '../../../../spec/delivery.ts';
import { verifySignature } from '../../../../spec/signature.ts';
import { UsageError } from '../../../errors.ts';
import { sampleDeliveries } from '../sampleDeliveries.ts';

/** A delivery of every event was generated, signed and validated. */
export interface CheckedSamples {
  /** How many events have a body that is valid, and whose signature verifies where the contract has signatures. */
  readonly proven: number;
  readonly failed: readonly FailedSample[];
}

/** Why no valid delivery of an event can be made, and what would have to change. */
export interface FailedSample extends Problem {
  readonly event: string;
}

interface Problem {
  readonly why: string;
  /** The member of the contract that does not fit the schema; nothing where the schema itself has no value. */
  readonly member?: 'id' | 'createdAt';
}

/** @param now - milliseconds since the epoch, for the signatures of the samples */
export function checkSamples(contract: Contract, now: number): CheckedSamples {
  const failed = contract.events.flatMap((event) => {
    const problem = wrongTime(contract, event) ?? problemOf(contract, event, now);
    return problem === undefined ? [] : [{ event: event.name, ...problem }];
  });
  return { proven: contract.events.length - failed.length, failed };
}

function problemOf(contract: Contract, event: CatalogueEvent, now: number): Problem | undefined {
  const { signature } = contract.delivery;
  const secret = secretFor(contract);
  try {
    const [delivery] = sampleDeliveries(contract, event, { count: 1, seed: 1, now, secret });
    if (delivery === undefined) return { why: 'no body was generated' };
    const { headers, body } = delivery;
    if (!event.validate(JSON.parse(body.toString()))) return invalid(contract, event);
    const lookup = (name: string) => headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
    const isSigned = signature === undefined || verifySignature(signature, '', lookup, { secret, body });
    return isSigned ? undefined : { why: 'its signature does not verify' };
  } catch (error) {
    if (error instanceof UnsupportedSchema || error instanceof ContractError) return { why: error.message };
    if (error instanceof UsageError) return { why: error.explanation.received, member: 'id' };
    throw error;
  }
}

/** A secret of the form that the contract's keys have. */
function secretFor({ delivery: { signature } }: Contract): string {
  const { encoding, prefix } = signature?.key ?? { encoding: 'utf8', prefix: '' };
  return prefix + Buffer.from('a secret of a sample').toString(encoding);
}

/** The id and the time are the kit's own: where they are what is not valid, the schema is not to blame. */
function invalid({ delivery: { id, members, createdAtForm } }: Contract, { validate }: CatalogueEvent): Problem {
  const [first] = validate.errors ?? [];
  const own = (validate.errors ?? []).find(({ instancePath: at }) => at === members.id || at === members.createdAt);
  const said = (own ?? first)?.message ?? '';
  if (own === undefined) return { why: `the body is not valid: ${first?.instancePath ?? ''} ${said}` };
  const { instancePath: at } = own;
  return at === members.id
    ? { why: `an id of the form ${id?.form} is not valid at ${at}, which ${said}`, member: 'id' }
    : { why: `a time of the form ${createdAtForm} is not valid at ${at}, which ${said}`, member: 'createdAt' };
}

const typeOf = { rfc3339: 'string', unix: 'number', unixMilliseconds: 'number' } as const satisfies Record<
  TimeForm,
  string
>;

/** Where a schema wants a number and the time is a text, or the other way round: the kit could not make it recent. */
function wrongTime(
  { delivery: { members, createdAtForm } }: Contract,
  { schema }: CatalogueEvent,
): Problem | undefined {
  if (members.createdAt === undefined) return undefined;
  const types = schemasAt(schema, members.createdAt).flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  const fitting = typeOf[createdAtForm] === 'string' ? ['string'] : ['number', 'integer'];
  const wrong = types.find((each) => !each.some((type) => fitting.includes(type)));
  if (wrong === undefined) return undefined;
  const others = typeOf[createdAtForm] === 'string' ? 'unix or unixMilliseconds' : 'rfc3339';
  const why = `a time of the form ${createdAtForm} is a ${typeOf[createdAtForm] === 'string' ? 'text' : 'number'}, and ${members.createdAt} takes ${wrong.join(' or ')}: is its form ${others}?`;
  return { why, member: 'createdAt' };
}
