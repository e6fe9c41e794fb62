import { type Contract, type CatalogueEvent, ContractError } from '../../../../spec/contract.ts';
import { expressionOf, type Location } from '../../../../spec/delivery.ts';
import type { Level, Requirement } from '../../../../spec/requirements.ts';
import { statusClasses } from '../../../../spec/statusClasses.ts';
import { applicable, notIn } from '../../../../suites/applicable.ts';
import { receiverChecks } from '../../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../../suites/service/index.ts';
import { UnsupportedSchema } from '../../../../generators/schema/schemaArbitrary.ts';
import { schemasAt } from '../../../../generators/schema/schemaReference.ts';
import { nearest } from '../../../../spec/nearest.ts';
import { verifySignature } from '../../../../spec/signature.ts';
import { sampleDeliveries } from '../sampleDeliveries.ts';

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
    createdAt: members.createdAt && { at: inBody(members.createdAt), form: createdAtForm },
    related: members.included && { at: inBody(members.included) },
  };
}

/**
 * Members that the contract places in the body where no event's schema has any: most likely a misspelt pointer. Each with the
 * nearest member that is described there.
 */
function undescribedPlaces({ delivery: { id, event, members }, events }: Contract) {
  const inBody = (location: Location | undefined) => (location?.in === 'body' ? location.pointer : undefined);
  const places = { event: inBody(event), id: inBody(id?.at), createdAt: members.createdAt, status: members.status };
  return Object.entries(places).flatMap(([name, pointer]) => {
    if (pointer === undefined || events.some(({ schema }) => schemasAt(schema, pointer).length > 0)) return [];
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    const siblings = events.flatMap(({ schema }) =>
      schemasAt(schema, parent).flatMap(({ properties = {} }) => Object.keys(properties)),
    );
    const [near] = nearest(pointer.slice(parent.length + 1), siblings);
    return [{ name, pointer, ...(near !== undefined && { near: `${parent}/${near}` }) }];
  });
}

function levelsOf(requirements: readonly Requirement[], subject: Requirement['subject']): Record<Level, number> {
  const own = requirements.filter((each) => each.subject === subject);
  const count = (level: Level) => own.filter((each) => each.level === level).length;
  return { must: count('must'), should: count('should'), may: count('may') };
}

/** A delivery of every event was generated, signed and validated. */
interface CheckedSamples {
  /** How many events have a body that is valid, and whose signature verifies where the contract has signatures. */
  readonly proven: number;
  readonly failed: readonly { readonly event: string; readonly why: string }[];
}

/** @param now - milliseconds since the epoch */
function checkSamples(contract: Contract, now: number): CheckedSamples {
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
