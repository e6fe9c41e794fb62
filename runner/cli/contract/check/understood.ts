import type { Contract } from '../../../../spec/contract.ts';
import { expressionOf, type Location } from '../../../../spec/delivery.ts';
import type { Level, Requirement } from '../../../../spec/requirement.ts';
import { statusClasses } from '../../../../spec/statusClasses.ts';
import { applicable, notIn } from '../../../../suites/applicable.ts';
import { receiverChecks } from '../../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../../suites/service/index.ts';
import { checkSamples } from './checkSamples.ts';
import { undescribedPlaces } from './undescribedPlaces.ts';

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

function levelsOf(requirements: readonly Requirement[], subject: Requirement['subject']): Record<Level, number> {
  const own = requirements.filter((each) => each.subject === subject);
  const count = (level: Level) => own.filter((each) => each.level === level).length;
  return { must: count('must'), should: count('should'), may: count('may') };
}
