import fc, { type Arbitrary } from 'fast-check';

import { type CatalogueEvent, type Contract, loadContract } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';
import type { ShippedContract } from '../../spec/shippedContracts.ts';
import { matching } from '../schema/stringMatching.ts';
import { type Notification, notification as notificationOf, type NotificationOptions, withId } from './notification.ts';

/** A notification under an id of its own. */
export interface IdentifiedNotification extends Notification {
  readonly id: string;
}

/** Which contract it is about. */
export interface OfContract {
  /** A contract, or the name of one that ships with the kit. Default: `tracking` */
  readonly contract?: Contract | ShippedContract | undefined;
}

/**
 * For notifications of one event, valid for its schema, each under an id of its own. They shrink.
 *
 * @param event - its name in the catalogue
 * @throws RangeError where the contract has no event of that name
 * @throws UnsupportedSchema where the contract's schemas hold what cannot be generated
 * @example fc.property(notification('orders/create', { contract: 'shopify' }), ({ value }) => typeof handle(value) === 'object')
 */
export function notification(
  event: string,
  options?: NotificationOptions & OfContract,
): Arbitrary<IdentifiedNotification>;

/** The same of a contract that is at hand, under the id that its schema gives: see `withId`. */
export function notification(
  contract: Contract,
  event: CatalogueEvent,
  options?: NotificationOptions,
): Arbitrary<Notification>;

export function notification(
  first: string | Contract,
  second: CatalogueEvent | (NotificationOptions & OfContract) = {},
  third: NotificationOptions = {},
): Arbitrary<Notification> {
  if (typeof first !== 'string') return notificationOf(first, second as CatalogueEvent, third);
  const { contract: given, ...options } = second as NotificationOptions & OfContract;
  const contract = contractOf(given);
  const bodies = notificationOf(contract, eventOf(contract, first), options);
  return fc.tuple(bodies, deliveryId(contract)).map(([body, id]) => ({ ...withId(contract, body, id), id }));
}

/** Loading one takes a tenth of a second. */
const shipped = new Map<ShippedContract, Contract>();

/** The contract itself. @throws ContractError where a document of somebody else is not installed */
export function contractOf(given: OfContract['contract'] = 'tracking'): Contract {
  if (typeof given !== 'string') return given;
  const known = shipped.get(given);
  if (known !== undefined) return known;
  const loaded = given === 'tracking' ? loadContract() : loadContract(shippedTexts(given), { name: given });
  shipped.set(given, loaded);
  return loaded;
}

function eventOf({ name, events }: Contract, event: string): CatalogueEvent {
  const found = events.find((each) => each.name === event);
  if (found !== undefined) return found;
  const names = events.map((each) => each.name);
  const next = didYouMean(nearest(event, names)) ?? `It has ${names.slice(0, 10).join(', ')}, ...`;
  throw new RangeError(`The contract ${name} has no event ${JSON.stringify(event)}. ${next}`);
}

/** Whole numbers of nine to fifteen digits, which every parser of JSON reads exactly. */
const integers = '[1-9][0-9]{8,14}';

/**
 * For ids of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @throws UnsupportedSchema where no id of that form can be made
 */
export function deliveryId({ delivery }: Pick<Contract, 'delivery'>): Arbitrary<string> {
  const form = delivery.id?.form ?? 'uuid';
  if (form === 'uuid') return fc.uuid({ version: 4 });
  return matching(`^(?:${form === 'integer' ? integers : form})$`, '/id/form');
}
