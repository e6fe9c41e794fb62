import { UnsupportedSchema } from '../../../../generators/schema/schemaArbitrary.ts';
import { schemasAt } from '../../../../generators/schema/schemaReference.ts';
import { type CatalogueEvent, type Contract, ContractError } from '../../../../spec/contract.ts';
import type { TimeForm } from '../../../../spec/delivery.ts';
import { expressionOf, type Location } from '../../../../spec/location.ts';
import { addedName } from '../../../../spec/foreignEvents.ts';
import type { JsonSchema } from '../../../../spec/jsonSchema.ts';
import { nearest } from '../../../../spec/nearest.ts';
import type { Level, Requirement } from '../../../../spec/requirement.ts';
import { verifySignature } from '../../../../spec/signature.ts';
import { statusClasses } from '../../../../spec/statusClasses.ts';
import { applicable, notIn } from '../../../../suites/applicable.ts';
import { receiverChecks } from '../../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../../suites/service/index.ts';
import { UsageError } from '../../../errors.ts';
import { possibleDeliveries } from '../sampleDeliveries.ts';
import { headerValue } from '../../../../spec/headerText.ts';
import { parentOf } from '../../../../spec/pointer.ts';

/** What is understood of a contract, as `contract check --json` writes it. */
export type Understood = ReturnType<typeof understood>;

/**
 * What is understood of a contract.
 *
 * @param now - milliseconds since the epoch, for the signatures of the samples
 */
export function understood(contract: Contract, now: number) {
  const { name, title, version, source, digest, events, delivery, service, requirements, warnings } = contract;
  // Reads the schema of every event: until then hardly anything is warned of.
  const samples = checkSamples(contract, now);
  const checks = [...receiverChecks, ...(service === undefined ? [] : serviceChecks)];
  const running = new Set([...applicable(contract, checks)].map(({ id }) => id));
  return {
    name,
    title,
    version,
    source,
    digest,
    events: events.map((event) => event.name),
    places: placesOf(contract),
    undescribed: undescribedPlaces(contract),
    delivery: {
      method: delivery.method,
      mediaType: delivery.mediaType,
      headers: Object.fromEntries(delivery.headers),
      accepts: statusClasses(delivery.acceptedStatuses),
      retries: delivery.retries,
      timeout: delivery.timeout,
    },
    signature: delivery.signature,
    roles: service?.operations,
    requirements: { receiver: levelsOf(requirements, 'receiver'), service: levelsOf(requirements, 'service') },
    notApplicable: {
      parts: notIn(contract),
      checks: checks.filter(({ id }) => !running.has(id)).map(({ id }) => id),
      ofChecks: checks.length,
    },
    leftOut: warnings,
    samples,
  };
}

/** Where a delivery carries what, as runtime expressions of OpenAPI; nothing where it does not. */
function placesOf({ delivery }: Contract) {
  const { id, event, members, createdAtForm } = delivery;
  const inBody = (pointer: string | undefined) => pointer && expressionOf({ in: 'body', pointer });
  const placed = (location: Location) => ({ at: expressionOf(location) });
  return {
    event: placed(event),
    id: id && { ...placed(id.at), form: id.form },
    type: members.type && { at: inBody(members.type) },
    status: members.status && { at: inBody(members.status) },
    object: members.object && { at: inBody(members.object) },
    createdAt: members.createdAt && { at: inBody(members.createdAt), form: createdAtForm },
    related: members.included && { at: inBody(members.included) },
  };
}

function levelsOf(requirements: readonly Requirement[], subject: Requirement['subject']): Record<Level, number> {
  const own = requirements.filter((each) => each.subject === subject);
  const count = (level: Level) => own.filter((each) => each.level === level).length;
  return { must: count('must'), should: count('should'), may: count('may') };
}

/** A place in the body that no event's schema describes. */
interface UndescribedPlace {
  /** What the contract places there: `id`, `event`, ... */
  readonly name: string;
  readonly pointer: string;
  /** The nearest member that is described there. */
  readonly near?: string;
}

/** Members that the contract places in the body where no event's schema has any: most likely a misspelt pointer. */
function undescribedPlaces({ delivery: { id, event, members }, events }: Contract): readonly UndescribedPlace[] {
  const inBody = (location: Location | undefined) => (location?.in === 'body' ? location.pointer : undefined);
  const { createdAt, object, status, type } = members;
  const places = { event: inBody(event), id: inBody(id?.at), type, object, createdAt, status };
  return Object.entries(places).flatMap(([name, pointer]) => {
    if (pointer === undefined || events.some(({ schema }) => isDescribed(schema, pointer))) return [];
    const parent = parentOf(pointer);
    const siblings = events.flatMap(({ schema }) => membersAt(schema, parent));
    const [near] = nearest(pointer.slice(parent.length + 1), siblings);
    return [{ name, pointer, ...(near !== undefined && { near: `${parent}/${near}` }) }];
  });
}

function isDescribed(schema: JsonSchema, pointer: string): boolean {
  const parent = parentOf(pointer);
  return membersAt(schema, parent).includes(pointer.slice(parent.length + 1));
}

/** The members that a schema itself names at a place. */
function membersAt(schema: JsonSchema, pointer: string): readonly string[] {
  return schemasAt(schema, pointer).flatMap(({ properties = {}, required = [] }) => {
    const described = Object.entries(properties).flatMap(([name, each]) => (isAdded(each) ? [] : [name]));
    const isOwn = Object.keys(properties).length === 0 || described.length > 0;
    return isOwn ? [...described, ...required] : [];
  });
}

/** Whether it stands there only because the kit put the event's name there, or leads to it. */
function isAdded(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  if (schema['$comment'] === addedName) return true;
  const inner = Object.values(schema.properties ?? {});
  return inner.length === 1 && inner.every(isAdded);
}

/** A delivery of every event was generated, signed and validated. */
interface CheckedSamples {
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
function checkSamples(contract: Contract, now: number): CheckedSamples {
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
    const [delivery] = possibleDeliveries(contract, event, { count: 1, seed: 1, now, secret });
    if (delivery === undefined) return { why: 'no body was generated' };
    const { headers, body } = delivery;
    if (!event.validate(JSON.parse(body.toString()))) return invalid(contract, event);
    const lookup = (name: string) => headerValue(headers, name);
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
