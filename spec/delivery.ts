import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';

/** Where things stand in a notification: JSON Pointers (RFC 6901) into its body. */
interface NotificationMembers {
  /** What distinguishes a redelivery from another notification. */
  readonly id: string;
  /** The kind of document; the same in every notification. */
  readonly type: string;
  readonly event: string;
  readonly status: string;
  readonly createdAt: string;
  /** The related resources that come along. */
  readonly included: string;
}

/** How a notification travels: the `x-delivery` extension of the document, and the responses of its webhooks. */
export interface DeliveryTerms {
  readonly method: string;
  readonly mediaType: string;
  /** The statuses that end a delivery. */
  readonly acceptedStatuses: readonly [number, ...number[]];
  /** How often a delivery is tried again at most, after the first attempt. */
  readonly retries: number;
  readonly members: NotificationMembers;
}

/** The part of the terms that `x-delivery` gives; the statuses stand with the webhooks. */
export type DeclaredTerms = Omit<DeliveryTerms, 'acceptedStatuses'>;

const memberNames = ['id', 'type', 'event', 'status', 'createdAt', 'included'] as const;

/**
 * Reads the `x-delivery` extension at the root of a document.
 *
 * @throws ContractError (`contract/delivery`) where it is missing or incomplete
 */
export function parseDelivery(document: Readonly<Record<string, unknown>>): DeclaredTerms {
  const terms = document['x-delivery'];
  if (!isRecord(terms)) throw invalid('', terms, 'a mapping with method, mediaType, retries and members');
  const { method, mediaType, retries, members } = terms;
  if (typeof method !== 'string' || !/^[A-Z]+$/.test(method)) throw invalid('.method', method, 'a method such as POST');
  if (typeof mediaType !== 'string' || !mediaType.includes('/')) {
    throw invalid('.mediaType', mediaType, 'a media type such as application/json');
  }
  if (typeof retries !== 'number' || !Number.isInteger(retries) || retries < 0) {
    throw invalid('.retries', retries, 'a whole number from 0 on');
  }
  if (!isRecord(members)) throw invalid('.members', members, `a mapping with ${memberNames.join(', ')}`);
  return { method, mediaType, retries, members: readMembers(members) };
}

function readMembers(members: Readonly<Record<string, unknown>>): NotificationMembers {
  const entries = memberNames.map((name) => [name, pointer(name, members[name])] as const);
  return Object.fromEntries(entries) as unknown as NotificationMembers;
}

function pointer(name: string, value: unknown): string {
  if (typeof value === 'string' && /^(\/([^~/]|~[01])+)+$/.test(value)) return value;
  throw invalid(`.members.${name}`, value, 'a JSON Pointer such as /data/id');
}

function invalid(place: string, received: unknown, valid: string): ContractError {
  return new ContractError(
    'contract/delivery',
    `x-delivery${place} at the root of the document is ${JSON.stringify(received) ?? 'missing'}; valid is ${valid}. Write it there.`,
  );
}
