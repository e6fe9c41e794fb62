import fc, { type Arbitrary } from 'fast-check';

import type { CatalogueEvent, Contract } from '../../spec/contract.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { valueAt } from '../json/jsonPointer.ts';
import { padded } from './padded.ts';
import { relatedResources } from './relatedResources.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';
import { schemasAt, valuesAt } from '../schema/schemaAt.ts';
import type { TextKind } from '../schema/text.ts';
import { tradeStrings } from '../trade/tradeStrings.ts';
import type { TimestampForm } from '../schema/timestamp.ts';

/** A notification: the event that it names, and the whole body. Its id is a placeholder that `withId` replaces. */
export interface Notification {
  readonly event: string;
  readonly value: Json;
}

/** Constraints of {@link notification}. */
export interface NotificationOptions {
  /** `ascii` (default): letters, digits and little else. `unicode`: all of Unicode that I-JSON allows. Else: see `text`. */
  readonly text?: TextKind;
  /** Whether U+0000 may appear in unicode text. Default: false. */
  readonly nul?: boolean;
  /** `plain` (default): decimals with up to seven digits of a fraction. `any`: all finite doubles. */
  readonly numbers?: 'plain' | 'any';
  /**
   * The related resources. `plausible` (default): as many of each type as the contract says. `none`: no list, or an
   * empty one. `bytes`: so many that compact JSON has this many bytes, never more; where the number is too small for
   * the rest of the body, there are none.
   */
  readonly included?: 'none' | 'plausible' | { readonly bytes: number };
  /** The delivery status. Default: what `statuses` says. */
  readonly status?: string;
  /** `pending` (default): the first status that the contract lists, that of a new notification. `any`: each of them. */
  readonly statuses?: 'pending' | 'any';
  /** `plain` (default): timestamps in whole seconds. `any`: with 0 to 6 digits of a fraction. A number: just as many. */
  readonly timestamps?: TimestampForm;
}

/**
 * For notifications of one event: valid for its schema, and survive `JSON.stringify` and `JSON.parse` unchanged.
 *
 * Building the arbitrary takes some milliseconds, drawing from it some ten microseconds: keep it. Shrinks to the
 * smallest resources that the contract names, with zeros and short texts.
 *
 * @throws UnsupportedSchema where the contract's schemas hold what cannot be generated
 * @example notification(contract, contract.events[0], { included: { bytes: 65_536 } })
 */
export function notification(
  contract: Contract,
  event: CatalogueEvent,
  options: NotificationOptions = {},
): Arbitrary<Notification> {
  const { included = 'plausible' } = options;
  const bodies =
    included === 'none' ? withoutResources(contract, event, options) : withResources(contract, event, options);
  return bodies.map((value) => ({ event: event.name, value }));
}

function withResources(contract: Contract, event: CatalogueEvent, options: NotificationOptions): Arbitrary<Json> {
  const { included: pointer } = contract.delivery.members;
  const resources = relatedResources(event.included, choices(options));
  const bodies = envelope(contract, event, options, resources);
  const { included } = options;
  if (typeof included !== 'object') return bodies;
  return bodies.map((body) =>
    padded(body, pointer, (valueAt(body, pointer) ?? []) as readonly JsonObject[], included.bytes),
  );
}

function withoutResources(contract: Contract, event: CatalogueEvent, options: NotificationOptions): Arbitrary<Json> {
  const { included: pointer } = contract.delivery.members;
  const empty = envelope(contract, event, options, fc.constant([]));
  const [parent, name] = [pointer.slice(0, pointer.lastIndexOf('/')), pointer.slice(pointer.lastIndexOf('/') + 1)];
  const isRequired = schemasAt(event.schema, parent).some(({ required = [] }) => required.includes(name));
  return isRequired ? empty : fc.oneof(envelope(contract, event, options, null), empty);
}

/** The body with this list of resources; null leaves the list out. */
function envelope(
  contract: Contract,
  event: CatalogueEvent,
  options: NotificationOptions,
  resources: Arbitrary<Json> | null,
): Arbitrary<Json> {
  const { members } = contract.delivery;
  const statuses = statusesOf(event, members.status, options);
  return schemaArbitrary(event.schema, {
    ...choices(options),
    members: { [members.included]: resources, ...(statuses && { [members.status]: fc.constantFrom(...statuses) }) },
  });
}

function statusesOf(
  event: CatalogueEvent,
  pointer: string,
  { status, statuses = 'pending' }: NotificationOptions,
): readonly Json[] | undefined {
  if (status !== undefined) return [status];
  const listed = valuesAt(event.schema, pointer);
  return statuses === 'any' ? listed : listed?.slice(0, 1);
}

function choices({ text, nul, timestamps, numbers = 'plain' }: NotificationOptions): SchemaArbitraryOptions {
  return {
    numbers,
    strings: tradeStrings,
    ...(text !== undefined && { text }),
    ...(nul !== undefined && { nul }),
    ...(timestamps !== undefined && { timestamps }),
  };
}
