import type { DeliveryTerms } from './delivery.ts';
import type { OperationRole } from './names.ts';
import { isRecord, type Mapping } from './jsonSchema.ts';
import { type ServiceTerms, type WebhookMember, within } from './serviceTerms.ts';

/** What the deliveries of a contract may have. */
type DeliveryPart =
  | 'id'
  | 'id-in-body'
  | 'uuid'
  | 'event-in-body'
  | 'status'
  | 'created-at'
  | 'related'
  | 'retries'
  | 'signature'
  | 'tolerance'
  | 'several';

/** What the service of a contract may have. */
type ServicePart = 'service' | `operation:${OperationRole}` | `webhook:${WebhookMember}` | 'sample:secret' | 'tracking';

/**
 * What a contract may have, and some requirements and checks are about: an id (in the body, or a uuid), an event's name in
 * the body, the status of the delivery, the time of creation (RFC 3339), related resources, retries, signatures, those
 * whose timestamp may be only so old, several in one header, and the parts of a service's API (`operation:list`,
 * `webhook:secret`, ...).
 */
export type ContractPart = DeliveryPart | ServicePart;

interface Having {
  readonly delivery: Omit<DeliveryTerms, 'acceptedStatuses'>;
  /** As it was parsed, or as it is written down. */
  readonly service: Mapping | ServiceTerms | undefined;
}

/**
 * The parts that a contract has.
 *
 * @param scheme - how the deliveries of the run are signed. Default: as the contract says
 * @example partsOf(loadContract()).has('operation:update') // true
 */
export function partsOf({ delivery, service }: Having, scheme = delivery.signature): ReadonlySet<ContractPart> {
  const { id, members, retries, signature, createdAtForm } = delivery;
  const parts: Readonly<Record<DeliveryPart, boolean>> = {
    id: id !== undefined,
    'id-in-body': members.id !== undefined,
    uuid: id?.form === 'uuid',
    'event-in-body': members.event !== undefined,
    status: members.status !== undefined,
    'created-at': members.createdAt !== undefined && createdAtForm === 'rfc3339',
    related: members.included !== undefined,
    retries: retries > 0,
    signature: signature !== undefined,
    tolerance: scheme?.tolerance !== undefined,
    several: scheme?.isList === true,
  };
  const own = (Object.keys(parts) as DeliveryPart[]).filter((part) => parts[part]);
  return new Set([...own, ...servicePartsOf(service)]);
}

function servicePartsOf(service: Having['service']): readonly ServicePart[] {
  if (service === undefined) return [];
  const named = (holder: unknown): readonly string[] => (isRecord(holder) ? Object.keys(holder) : []);
  const { operations, webhook, sample, tracking } = service;
  return [
    'service',
    ...named(operations).map((role) => `operation:${role as OperationRole}` as const),
    ...named(within(webhook, 'members')).map((name) => `webhook:${name as WebhookMember}` as const),
    ...(named(within(sample, 'members')).includes('secret') ? (['sample:secret'] as const) : []),
    ...(tracking === undefined ? [] : (['tracking'] as const)),
  ];
}
