import fc from 'fast-check';

import { deliveryHeaders } from '../../../generators/notification/signed.ts';
import { UnsupportedSchema } from '../../../generators/schema/schemaContext.ts';
import { shellWord } from '../../../reports/curl/shell.ts';
import type { Json } from '../../../generators/json/json.ts';
import { notification, withId } from '../../../generators/notification/notification.ts';
import { type CatalogueEvent, type Contract, ContractError } from '../../../spec/contract.ts';
import { didYouMean, nearest } from '../../../spec/nearest.ts';
import type { Delivery } from '../../../suites/delivery.ts';
import { UsageError } from '../../errors.ts';
import { matches } from '../../options/selection.ts';
import { madeRecent, newId } from '../../receiver/freshDelivery.ts';

/** A generated delivery, and the value that its body holds. */
export interface SampleDelivery extends Delivery {
  readonly value: Json;
}

/**
 * The events that a pattern names: the first one of the contract where there is no pattern.
 *
 * @throws UsageError where it names none
 */
export function eventsNamed(
  { name: contract, events }: Contract,
  pattern: string | undefined,
): readonly CatalogueEvent[] {
  if (pattern === undefined) return events.slice(0, 1);
  const found = events.filter(({ name }) => matches(pattern, name));
  if (found.length > 0) return found;
  const names = events.map(({ name }) => name);
  const suggestion = didYouMean(nearest(pattern, names));
  throw new UsageError('SW_EVENT_UNKNOWN', {
    received: `the contract has no event ${JSON.stringify(pattern)}`,
    valid: names.length > 20 ? `${names.slice(0, 20).join(', ')}, and ${names.length - 20} others` : names.join(', '),
    next: suggestion ?? `seaworthy contract check ${shellWord(contract)} --json lists all events`,
  });
}

interface SampleChoices {
  readonly count: number;
  readonly seed: number;
  /** Milliseconds since the epoch: the deliveries were created within the hour before. */
  readonly now: number;
  /** Default: they are not signed. */
  readonly secret?: string | undefined;
  /** Writes the body over several lines. Default: false */
  readonly indented?: boolean;
}

/**
 * Deliveries of one event as the contract describes them: what is signed is what stands in `body`. The same seed gives the
 * same bodies and ids but for times.
 *
 * @throws UsageError where no body can be generated
 */
export function sampleDeliveries(
  contract: Contract,
  event: CatalogueEvent,
  choices: SampleChoices,
): readonly SampleDelivery[] {
  try {
    return possibleDeliveries(contract, event, choices);
  } catch (cause) {
    if (!(cause instanceof UnsupportedSchema || cause instanceof ContractError)) throw cause;
    throw new UsageError(
      'SW_CONTRACT_INVALID',
      {
        received: `no delivery of ${event.name} can be made: ${cause.message}`,
        valid: 'a schema that some value is valid for',
        next: `correct it, and check it with: seaworthy contract check ${contract.name}`,
      },
      { cause },
    );
  }
}

/**
 * The same for those who say themselves what is wrong with a contract.
 *
 * @throws UnsupportedSchema where no body can be generated
 * @throws ContractError where the schema does not compile
 */
export function possibleDeliveries(
  contract: Contract,
  event: CatalogueEvent,
  { count, seed, now, secret, indented = false }: SampleChoices,
): readonly SampleDelivery[] {
  const drawn = fc.sample(notification(contract, event), { numRuns: count, seed });
  return drawn.map((each, place) => {
    const id = newId(contract, (seed + place * 0x9e37_79b1) % 2 ** 32);
    const { value } = withId(contract, madeRecent(contract, each, { now, fraction: '' }), id);
    const body = Buffer.from(indented ? JSON.stringify(value, null, 2) : JSON.stringify(value));
    return { ...deliveryOf(contract, { id, event: event.name, body, secret, now }), value };
  });
}

/** A notification with its body, before it is signed. */
interface Unsigned {
  readonly id: string;
  readonly event: string;
  readonly body: Buffer;
  readonly secret: string | undefined;
  readonly now: number;
}

/** A delivery of a notification: its headers, signed where there is a secret. @param now - milliseconds since the epoch */
export function deliveryOf(contract: Contract, { id, event, body, secret, now }: Unsigned): Delivery {
  const headers = deliveryHeaders(contract, { id, event, body, secret, timestamp: Math.floor(now / 1000) });
  return { id: contract.delivery.id === undefined ? '' : id, event, method: contract.delivery.method, headers, body };
}
